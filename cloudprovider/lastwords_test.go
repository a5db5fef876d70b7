package cloudprovider_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestLastWords are those before the crash, not those of the run that followed.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for quiet, want := range map[time.Duration]string{time.Second: "last words", time.Hour: "said later"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t)
			f.t = t
			var notices []string
			cfg := config()
			cfg.Notice = func(message string) { notices = append(notices, message) }
			c := f.controller(cfg)
			id := f.mustStart(c).ID
			f.AppendLog(id, "last words")
			time.Sleep(quiet)
			f.behave(enginetest.Behaviour{})
			f.Exit(id, 2)
			time.Sleep(time.Second)
			for range 20 {
				f.AppendLog(id, "said later")
			}
			f.behave(enginetest.Behaviour{Logs: attachLog("demo")})
			f.mustStart(c)
			if text := strings.Join(notices, "\n"); !strings.HasSuffix(text, want) {
				t.Errorf("quiet for %s: got %q, want %q last", quiet, text, want)
			}
		})
	}
}

// TestACrashIsToldAtOnce where the engine remembers it, though it runs again.
func TestACrashIsToldAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.t = t
		c := f.controller(config())
		id := f.mustStart(c).ID
		for range 3 {
			f.Exit(id, 2)
		}
		began := time.Now()
		wantError(t, c.Attached(t.Context()), "keeps crashing", "exited with code 2")
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %s", took)
		}
	})
}

// TestAFailedStartIsNobodysDoing.
func TestAFailedStartIsNobodysDoing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Put(engine.Container{Name: name, Labels: owned("demo"), State: engine.Exited, ExitCode: 127, Error: "no such file"})
	reason := f.status(f.controller(config())).Reason
	wantText(t, reason, "exited with code 127: no such file")
	if strings.Contains(reason, "somebody") {
		t.Errorf("got %q", reason)
	}
}

// TestAStopIsToldWithoutTheLog, which says nothing of it.
func TestAStopIsToldWithoutTheLog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var notices []string
	cfg := config()
	cfg.Notice = func(message string) { notices = append(notices, message) }
	c := f.controller(cfg)
	f.Fake.Stop(t.Context(), f.mustStart(c).ID, 0)
	f.mustStart(c)
	if len(notices) != 1 || !strings.HasSuffix(notices[0], "stopped by somebody") {
		t.Errorf("got notices %q, want one that ends with who stopped it", notices)
	}
}
