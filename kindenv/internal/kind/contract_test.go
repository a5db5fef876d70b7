package kind_test

import (
	"context"
	"errors"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func TestFakeKeepsTheContract(t *testing.T) {
	t.Parallel()
	kindtest.Run(t, func(*testing.T) kindtest.Subject { return fakeSubject() })
}

func TestFaultsKeepTheContractOfWhatTheyAreAround(t *testing.T) {
	t.Parallel()
	kindtest.Run(t, func(*testing.T) kindtest.Subject {
		s := fakeSubject()
		s.Driver = kindtest.Around(kindtest.NewFaults(), s.Driver)
		return s
	})
}

// fakeSubject is the Fake, which creates at once unless it is made to wait.
func fakeSubject() kindtest.Subject {
	fake := kindtest.NewFake(enginetest.NewFake())
	return kindtest.Subject{
		Driver: fake, Spec: kind.CreateSpec{Name: "x"},
		Slow: func() {
			fake.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
				<-ctx.Done()
				return ctx.Err()
			}
		},
	}
}

func TestFaultsCountTheEnginesCallsAndTheDriversTogether(t *testing.T) {
	t.Parallel()
	injected := errors.New("injected")
	fake, faults := enginetest.NewFake(), kindtest.NewFaults()
	driver, eng := kindtest.Around(faults, kindtest.NewFake(fake)), faults.Around(fake)
	faults.Lose("", 2, injected)
	if _, err := eng.List(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if raw, err := driver.Create(t.Context(), kind.CreateSpec{Name: "x"}); !errors.Is(err, injected) || raw != nil {
		t.Errorf("got %q, %v, want nothing and %v", raw, err, injected)
	}
	if nodes, err := driver.Nodes(t.Context(), "x"); err != nil || len(nodes) != 1 {
		t.Errorf("nodes are %q (%v), want the one that was made", nodes, err)
	}
}
