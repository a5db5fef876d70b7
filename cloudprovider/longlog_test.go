package cloudprovider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// metered is an engine that counts what is read of logs.
type metered struct {
	*enginetest.Fake
	lines int
}

func (m *metered) Logs(ctx context.Context, id string, options engine.LogOptions, out io.Writer) error {
	return m.Fake.Logs(ctx, id, options, writerFunc(func(p []byte) (int, error) {
		m.lines++
		return out.Write(p)
	}))
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestALongLogIsNotReadWhole, and nothing that matters is overlooked.
func TestALongLogIsNotReadWhole(t *testing.T) {
	t.Parallel()
	const long = 100_000
	noise := make([]string, long)
	for i := range noise {
		noise[i] = fmt.Sprintf("I1130 controller.go:1] \"Nothing new\" n=%d", i)
	}
	const (
		dropped = `I1130 controller.go:98] "Deleting resources" cluster="demo"`
		listing = `E1130 controller.go:66] "Error listing clusters, retrying..." err="exit status 1"`
	)
	for title, test := range map[string]struct {
		logs []string
		want string // empty: attached
	}{
		"attached at first":        {slices.Concat(attachLog("demo"), noise), ""},
		"attached again":           {slices.Concat(attachLog("demo"), noise, []string{dropped}, attachLog("demo")), ""},
		"dropped":                  {slices.Concat(attachLog("demo"), noise, []string{dropped}, noise[:10]), "does not serve"},
		"listing fails":            {slices.Concat(attachLog("demo"), noise, []string{listing}), "can't list"},
		"attached after a while":   {slices.Concat(noise[:2000], attachLog("demo"), noise), ""},
		"another cluster's":        {slices.Concat(attachLog("demo"), noise, attachLog("other")), ""},
		"one endless line instead": {[]string{string(make([]byte, 1<<20)), attachLog("demo")[3]}, ""},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				eng := &metered{Fake: f.Fake}
				c := shortened(cloudprovider.New(eng, config()))
				f.behave(enginetest.Behaviour{Logs: attachLog("demo")})
				f.mustStart(c)
				for _, line := range test.logs {
					f.AppendLog(name, line)
				}
				eng.lines = 0
				err := c.Attached(t.Context())
				if test.want == "" && err != nil {
					t.Error(err)
				} else if test.want != "" {
					wantError(t, err, test.want)
				}
				if eng.lines > 10_000 {
					t.Errorf("%d lines were read", eng.lines)
				}
			})
		})
	}
}

// TestALongLogWithoutTheLine is read, and denied.
func TestALongLogWithoutTheLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{Logs: attachLog("demo")[:2]})
		c := f.controller(config())
		f.mustStart(c)
		for i := range 5000 {
			f.AppendLog(name, fmt.Sprintf("noise %d", i))
		}
		wantError(t, c.Attached(t.Context()), "does not serve", "noise 4999")
	})
}

// writeOnly is an engine whose log driver can't be read from.
type writeOnly struct{ *enginetest.Fake }

func (w writeOnly) Logs(ctx context.Context, id string, options engine.LogOptions, out io.Writer) error {
	if err := w.Fake.Logs(ctx, id, options, io.Discard); err != nil {
		return err
	}
	return fmt.Errorf("reading logs: %w: configured logging driver does not support reading", engine.ErrUnsupported)
}

func TestALogThatCanNotBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := shortened(cloudprovider.New(writeOnly{f.Fake}, config()))
		f.mustStart(c)
		if err := c.Attached(t.Context()); err != nil {
			t.Errorf("got %v, want that a running controller is enough", err)
		}
		status := f.status(c)
		if status.Outdated || len(status.Clusters) > 0 {
			t.Errorf("got %+v, want it as wanted, and nothing known of clusters", status)
		}
		wantText(t, status.Reason, "running since", "its log can't be read on this engine")
		f.SetState(name, engine.Restarting)
		wantText(t, f.status(c).Reason, "its log can't be read on this engine")
	})
}

// TestALogThatFails is another matter.
func TestALogThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		f.mustStart(c)
		f.Fail("Logs", 0, errors.New("disk on fire"))
		wantError(t, c.Attached(t.Context()), "log of", "disk on fire")
		if _, err := c.Status(t.Context()); err == nil {
			t.Error("the status does not say so")
		}
	})
}

// TestAnErrorKeepsThePanic that a long trace and another run follow.
func TestAnErrorKeepsThePanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		logs := []string{"panic: at the disco"}
		for i := range 200 {
			logs = append(logs, fmt.Sprintf("goroutine %d", i))
		}
		f.behave(exits(2, logs...))
		err := f.controller(config()).Start(t.Context())
		wantError(t, err, "its last lines:\n  panic: at the disco\n  …\n", "goroutine 199")
	})
}

// TestAnEngineWideControllerTellsAllItsClusters, however long ago they came.
func TestAnEngineWideControllerTellsAllItsClusters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		cfg := config()
		cfg.ClusterName = ""
		c := f.controller(cfg)
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range 5000 {
			f.AppendLog("cloud-provider-kind", fmt.Sprintf("noise %d", i))
		}
		f.AppendLog("cloud-provider-kind", attachLog("other")[3])
		if got := f.status(c).Clusters; !slices.Equal(got, []string{"demo", "other"}) {
			t.Errorf("got clusters %q, want both", got)
		}
	})
}

// TestAShortLogIsReadOnce.
func TestAShortLogIsReadOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.behave(enginetest.Behaviour{Logs: attachLog("demo")[:2]})
		c := f.controller(config())
		f.mustStart(c)
		before := len(f.Calls())
		wantError(t, c.Attached(t.Context()), "does not serve")
		reads := slices.DeleteFunc(f.Calls()[before:], func(call string) bool { return call != "Logs "+name })
		if len(reads) != 1 {
			t.Errorf("the log was read %d times", len(reads))
		}
	})
}

// unfinished is an engine whose logs end in the middle of a line.
type unfinished struct{ *enginetest.Fake }

func (u unfinished) Logs(ctx context.Context, id string, options engine.LogOptions, out io.Writer) error {
	if err := u.Fake.Logs(ctx, id, options, out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "fatal: half a li")
	return err
}

func TestALogThatEndsInALine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.mustStart(f.controller(config()))
		f.SetState(name, engine.Exited)
		wantText(t, f.status(shortened(cloudprovider.New(unfinished{f.Fake}, config()))).Reason, "fatal: half a li")
	})
}
