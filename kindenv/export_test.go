package kindenv

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// Driver and Provider are what tests replace.
type (
	Driver   = driver
	Provider = provider
)

// World is what an environment under test takes for the world around it.
type World struct {
	Engine      engine.Engine // nil: EngineError
	EngineError error
	Driver      Driver
	Provider    Provider          // nil: the real one, on Engine
	Env         map[string]string // read and written
	Installed   []string
	CacheDir    string
	ContextHost string // empty: docker can't tell
	Patience    time.Duration
	Answers     func(server string) bool // of another cluster; nil: none does
	Dial        kubeapi.Dial             // to API servers; nil: as usual

	InotifyInstances int

	Opened     []docker.Options     // with what engines were looked for
	Configured cloudprovider.Config // what the provider was made from
	Runtime    string               // what the driver was made for
}

// NewIn is New in another world.
func NewIn(w *World, cfg Config) (*Environment, error) {
	var mu sync.Mutex // a dump may still read when it is over
	return newEnvironment(cfg, deps{
		env: func(key string) string { return w.Env[key] },
		setenv: func(key, value string) error {
			w.Env[key] = value
			return nil
		},
		installed: func(command string) bool {
			for _, one := range w.Installed {
				if one == command {
					return true
				}
			}
			return false
		},
		cacheDir: func() string { return w.CacheDir },
		engine: func(_ context.Context, opts docker.Options) (engine.Engine, error) {
			mu.Lock()
			defer mu.Unlock()
			w.Opened = append(w.Opened, opts)
			if w.Engine == nil {
				return nil, w.EngineError
			}
			return w.Engine, nil
		},
		driver: func(runtime string, _ *progress.Console) (driver, error) {
			mu.Lock()
			defer mu.Unlock()
			w.Runtime = runtime
			return w.Driver, nil
		},
		provider: func(eng engine.Engine, cfg cloudprovider.Config) provider {
			mu.Lock()
			defer mu.Unlock()
			w.Configured = cfg
			if w.Provider == nil {
				return cloudprovider.New(eng, cfg)
			}
			return w.Provider
		},
		contextHost: func(context.Context) (string, error) {
			if w.ContextHost == "" {
				return "", errors.New("no docker")
			}
			return w.ContextHost, nil
		},
		answers: func(ctx context.Context, at kubeconfig.Access) bool {
			return w.Answers != nil && w.Answers(at.Server)
		},
		dial:             w.Dial,
		inotifyInstances: func() int { return w.InotifyInstances },

		balancerBudget: w.Patience,
	})
}

// RunIn is Run for an environment that was made by NewIn.
func RunIn(ctx context.Context, e *Environment, do func(context.Context, *Environment) error) error {
	return e.run(ctx, do)
}

// LockFile is the path of the environment's lock on an engine.
func (e *Environment) LockFile(host string) string { return e.lockFile(host) }

// NetworkLock is the path of the lock on an engine's network.
func (e *Environment) NetworkLock(host string) string { return e.networkLock(host) }

// MemoryFile is the path of what this machine remembers.
func (e *Environment) MemoryFile() string { return e.memoryFile() }

// SameHost is sameHost.
func SameHost(host string) string { return sameHost(host) }

// KubernetesOf is kubernetesOf.
func KubernetesOf(ref string, image engine.Image) string { return kubernetesOf(ref, image) }

// Answers is answers.
func Answers(ctx context.Context, kubeconf []byte) (bool, error) {
	access, err := kubeconfig.Parse(kubeconf)
	if err != nil {
		return false, err
	}
	return answers(ctx, access), nil
}

// KeepVigil is keepVigil.
func KeepVigil(d Driver, eng engine.Engine) Driver { return keepVigil(d, eng) }

// NewAround is New with an engine and a driver that others are put around.
func NewAround(cfg Config, engineAround func(engine.Engine) engine.Engine, driverAround func(Driver) Driver) (*Environment, error) {
	d := realDeps()
	open, drive := d.engine, d.driver
	d.engine = func(ctx context.Context, opts docker.Options) (engine.Engine, error) {
		eng, err := open(ctx, opts)
		if err != nil {
			return nil, err
		}
		return engineAround(eng), nil
	}
	d.driver = func(runtime string, console *progress.Console) (driver, error) {
		one, err := drive(runtime, console)
		if err != nil {
			return nil, err
		}
		return driverAround(one), nil
	}
	return newEnvironment(cfg, d)
}
