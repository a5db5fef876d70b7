package cloudprovider_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestStartRefusesARestart: a controller that crashed once and then seems well is not up.
func TestStartRefusesARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{Logs: []string{"panic: once"}})
		c := f.controller(config())
		c.SetBudgets(cloudprovider.Budgets{Settle: time.Second})
		result := make(chan error)
		go func() { result <- c.Start(t.Context()) }()
		time.Sleep(300 * time.Millisecond)
		f.behave(enginetest.Behaviour{Logs: attachLog("demo")})
		if err := f.Exit(name, 2); err != nil {
			t.Fatal(err)
		}
		wantError(t, <-result, "it exited with code 2, and was restarted once", "panic: once")
		f.wantNames("demo-control-plane")
	})
}

// TestStartReturnsWithTheFirstListing does not wait for anything longer.
func TestStartReturnsWithTheFirstListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		c.SetBudgets(cloudprovider.Budgets{Start: time.Hour, Settle: time.Hour})
		began := time.Now()
		f.mustStart(c)
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %s after the log said that the clusters are listed", took)
		}
	})
}
