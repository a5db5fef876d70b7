package kindenv

import (
	"path/filepath"
	"sync/atomic"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/templates"
)

// Environment is one kind cluster with its cloud provider. Its methods may be
// called from several goroutines and processes: those that change something
// wait for each other.
type Environment struct {
	cfg    Config // with defaults and absolute paths
	name   string
	config []byte            // the kind config, without what only the engine can tell
	shape  templates.Summary // of config
	deps   deps
	brief  bool                   // it is brought down whatever happens: what helps to understand a failure is kept
	found  atomic.Pointer[string] // the endpoint of the engine, once there was one
}

// New checks cfg and returns the environment that it describes, which may
// exist or not. It asks no engine. The error names the field, its value, what
// is allowed and what to do.
func New(cfg Config) (*Environment, error) {
	return newEnvironment(cfg, realDeps())
}

func newEnvironment(cfg Config, d deps) (*Environment, error) {
	e := &Environment{cfg: cfg, deps: d}
	for _, step := range []func() error{
		e.setPaths, e.checkSettings, e.setCluster, e.setName, e.setCloudProvider,
	} {
		if err := step(); err != nil {
			return nil, redact.Error(err)
		}
	}
	return e, nil
}

// Name returns the cluster's name.
func (e *Environment) Name() string { return e.name }

// Context returns the name of the cluster's context in a kubeconfig: kind-<name>.
func (e *Environment) Context() string { return kind.Context(e.name) }

// setPaths makes relative paths absolute.
func (e *Environment) setPaths() error {
	dir, err := filepath.Abs(e.cfg.Dir)
	if err != nil {
		return err
	}
	e.cfg.Dir = dir
	if e.cfg.ConfigFile != "" {
		e.cfg.ConfigFile = within(dir, e.cfg.ConfigFile)
	}
	if e.cfg.Kubeconfig != "" {
		e.cfg.Kubeconfig = within(dir, e.cfg.Kubeconfig)
	}
	if e.cfg.DumpDir != "" {
		e.cfg.DumpDir = within(dir, e.cfg.DumpDir)
	}
	return nil
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
