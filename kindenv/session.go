package kindenv

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/kindenv/internal/dump"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// session is one call of an Environment's methods: the engine it found, and
// what it learned on its way.
type session struct {
	*Environment
	eng      engine.Engine
	driver   driver
	provider provider
	console  *progress.Console
	pulls    pulls
	began    time.Time
	memory   memory
	made     bool            // the cluster is made by this call
	started  map[string]bool // by container ID: nodes that this call has started
	finished bool            // the cluster that is there was complete once, as far as this machine remembers
	thawed   bool            // this call has thawed a control plane

	deadline time.Time // for being ready

	api    *kubeapi.Client // once there is a kubeconfig
	merged string          // the user's kubeconfig file that has the entry; empty: none

	evidence []dump.File // of a cluster whose creation failed, and whose nodes are gone

	unmerged error // why the user's kubeconfig does not have all of it

	launcher launcher
	agreed   struct {
		sync.Mutex
		done bool
	}
}

// open finds the engine.
func (e *Environment) open(ctx context.Context, out io.Writer) (*session, error) {
	console := progress.New(out, e.deps.env)
	eng, err := e.findEngine(ctx)
	if err != nil {
		return nil, err
	}
	e.foundEngine(eng.Endpoint())
	s := &session{Environment: e, eng: eng, console: console, began: time.Now()}
	if s.driver, err = e.deps.driver(s.runtimeOf(eng), console); err != nil {
		return nil, errors.Join(err, s.close(err))
	}
	s.driver = keepVigil(s.driver, eng)
	settings := e.cfg.CloudProvider
	if settings.Notice == nil {
		settings.Notice = console.Note
	}
	s.pulls.console = console
	if settings.Progress == nil {
		settings.Progress = s.pulls.follow
	}
	s.provider = e.deps.provider(eng, settings)
	return s, nil
}

// findEngine finds the engine by configuration and environment.
func (e *Environment) findEngine(ctx context.Context) (engine.Engine, error) {
	runtime := e.runtime()
	if runtime == kind.Nerdctl || runtime == "finch" {
		return mute{runtime}, nil
	}
	eng, err := e.deps.engine(ctx, docker.Options{Host: e.cfg.Host, Kind: engine.Kind(runtime)})
	if err == nil {
		return eng, nil
	}
	nameless := runtime == "" && e.cfg.Host == "" && e.deps.env("DOCKER_HOST") == ""
	if nameless && errors.Is(err, engine.ErrUnavailable) && e.deps.installed(kind.Nerdctl) {
		return mute{kind.Nerdctl}, nil
	}
	return nil, err
}

// runtimeOf is kind's name for the runtime.
func (e *Environment) runtimeOf(eng engine.Engine) string {
	if m, ok := eng.(mute); ok {
		return m.runtime
	}
	return string(eng.Endpoint().Kind)
}

// close ends the session's output and connections; err is why it ended.
func (s *session) close(err error) error {
	s.console.Close(err)
	if s.api != nil {
		s.api.Close()
	}
	if closer, ok := s.eng.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// step shows title while do runs.
func (s *session) step(ctx context.Context, title string, do func(ctx context.Context, step *progress.Step) error) error {
	step := s.console.Step(title)
	err := do(ctx, step)
	step.Done(err)
	return err
}
