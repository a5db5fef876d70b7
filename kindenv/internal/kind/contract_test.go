package kind_test

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

func TestFakeKeepsTheContract(t *testing.T) {
	t.Parallel()
	kindtest.Run(t, func(*testing.T) kindtest.Subject {
		return kindtest.Subject{
			Driver: kindtest.NewFake(enginetest.NewFake()),
			Spec:   kind.CreateSpec{Name: "x"},
		}
	})
}
