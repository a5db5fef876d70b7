//go:build integration && linux

package outage_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// hangs checks, on an engine that is stopped in its tracks, that every command
// ends with the reason, and that all is well once the engine goes on.
func hangs(t *testing.T, p *project) {
	t.Helper()
	p.freeze()
	for name, call := range map[string]func(context.Context) error{
		"Status": func(ctx context.Context) error { _, err := p.Status(ctx); return err },
		"Up":     p.Up,
		"Down":   p.Down,
	} {
		err := call(t.Context())
		if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), p.host) || !strings.Contains(err.Error(), "hangs") {
			t.Errorf("%s = %v, want that the engine at %s hangs", name, err, p.host)
		}
	}
	p.thaw()
	p.up()
	p.serves()
}

// TestEngineHangsInTheMiddle of a creation, which ends with the reason; what is
// left of it is removed once the engine goes on.
func TestEngineHangsInTheMiddle(t *testing.T) {
	o := newOwn(t, nil)
	o.load()
	p := newProject(t, o, "middle", 0)
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- p.Up(t.Context()) }()
	for o.docker("ps", "--quiet", "--filter", "label=io.x-k8s.kind.cluster=middle") == "" {
		select {
		case err := <-ended:
			t.Fatalf("Up = %v\n%s", err, p.out)
		case <-time.After(100 * time.Millisecond):
		}
	}
	o.freeze()
	err := <-ended
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "has not answered for") || !strings.Contains(err.Error(), o.host) {
		t.Errorf("Up = %v, want that the engine does not answer", err)
	}
	t.Logf("Up ended after %s: %v", time.Since(began).Round(time.Second), err)
	if left := children(t, "docker"); len(left) > 0 {
		t.Errorf("commands are left: %q", left)
	}
	o.thaw()
	p.down()
}
