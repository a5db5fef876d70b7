package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/templates"
)

const (
	secret  = "hunter2-0123" // in the settings of these tests, and nowhere to be seen
	withKey = "http://me:" + secret + "@proxy.test:3128"
)

// secretive is a world whose engine, proxies and registry have passwords, and an
// environment in it.
func secretive(t *testing.T) (*world, *kindenv.Environment) {
	t.Helper()
	w := newWorld(t)
	w.Env["CI"] = "true" // with a dump of what fails
	at := w.engine.Endpoint()
	at.Host = "tcp://me:" + secret + "@10.0.0.9:2375"
	w.engine.SetEndpoint(at)
	w.Env["DOCKER_HOST"], w.Env["HTTP_PROXY"], w.Env["https_proxy"] = at.Host, withKey, "me:"+secret+"@proxy.test"
	env := w.environment(func(cfg *kindenv.Config) {
		cfg.Cluster = templates.Cluster{ContainerdPatches: []string{`password = "` + secret + `"`}}
		cfg.Manifests = []string{"https://me:" + secret + "@files.test/all.yaml"}
	})
	return w, env
}

// discreet fails where text shows the secret.
func discreet(t *testing.T, what, text string) {
	t.Helper()
	if strings.Contains(text, secret) {
		t.Errorf("%s shows a password:\n%s", what, text)
	}
}

// leavesNothing looks at all that an environment makes: files, containers, output.
func (w *world) leavesNothing(t *testing.T) {
	t.Helper()
	discreet(t, "the output", w.out.String())
	for _, container := range w.nodes() {
		spec, _ := w.engine.Spec(container.ID)
		discreet(t, "a container", fmt.Sprintf("%+v %+v", container, spec))
	}
	for _, dir := range []string{w.home, w.CacheDir} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			discreet(t, path, path+"\n"+string(raw))
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

// chatter has a container log what it should not.
func (w *world) chatter(id string) {
	w.t.Helper()
	for _, line := range []string{"proxy is " + withKey, "HTTP_PROXY=me:" + secret + "@proxy.test", `{"auths":{"r":{"auth":"` + secret + `"}}}`} {
		if err := w.engine.AppendLog(id, line); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, env := secretive(t)
		w.up(env)
		status, err := env.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		discreet(t, "the status", fmt.Sprintf("%s\n%+v", status, status))
		// drift names what differs, and the password is in it
		w.up(w.environment(func(cfg *kindenv.Config) {
			cfg.Cluster = templates.Cluster{ContainerdPatches: []string{`password = "another"`}}
		}))
		if got := w.out.String(); !strings.Contains(got, "containerdConfigPatches[0]: the cluster has") {
			t.Errorf("the drift is not said:\n%s", got)
		}
		w.leavesNothing(t)
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.leavesNothing(t)
	})
}

// TestFailuresShowNoPasswords: what fails quotes what it was given, as kind does
// with the whole command line of a node, into which it copies the proxies.
func TestFailuresShowNoPasswords(t *testing.T) {
	t.Parallel()
	quoting := errors.New(`command "docker run --detach -e HTTP_PROXY=` + withKey + ` -e https_proxy=me:` + secret + `@proxy.test -e NO_PROXY=::1 ` +
		`kindest/node" failed with error: exit status 125: Get "https://me:` + secret + `@registry.test/v2/": 407`)
	for name, given := range map[string]func(w *world){
		"kind": func(w *world) {
			w.kind.Creating = func(context.Context, kind.CreateSpec) error { return quoting }
		},
		"an image": func(w *world) { w.provider.onPrepare = func(context.Context) error { return quoting } },
		"kind, after the node's boot": func(w *world) {
			w.kind.Creating = func(context.Context, kind.CreateSpec) error {
				for _, node := range w.nodes() {
					w.chatter(node.ID)
				}
				return quoting
			}
		},
		"the provider": func(w *world) { w.provider.onStart = func(context.Context) error { return quoting } },
		"the engine":   func(w *world) { w.engine.Fail("List", 1, quoting) },
		"no engine":    func(w *world) { w.World.Engine, w.EngineError = nil, quoting },
		"kubectl":      func(w *world) { w.kind.Fail("Kubectl", quoting) },
		"attachment": func(w *world) {
			w.provider.status = &cloudprovider.Status{State: engine.Exited, Reason: quoting.Error()}
			w.provider.onStart = func(context.Context) error { return quoting }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, env := secretive(t)
				given(w)
				err := kindenv.RunIn(t.Context(), env, func(context.Context, *kindenv.Environment) error { return nil })
				if err == nil {
					t.Fatal("got no error")
				}
				discreet(t, "the error", err.Error())
				if !errors.Is(err, quoting) {
					t.Errorf("the cause is lost in: %v", err)
				}
				if failure := (*kindenv.Failure)(nil); errors.As(err, &failure) {
					discreet(t, "the failure", fmt.Sprintf("%+v %v", *failure, failure.Err))
				} else if name != "no engine" {
					t.Errorf("it is no Failure: %v", err)
				}
				status, err := env.Status(t.Context())
				discreet(t, "the status", fmt.Sprintf("%s\n%+v %v", status, status, err))
				w.leavesNothing(t)
			})
		})
	}
}

// TestLogsShowNoPasswords, neither followed nor after a failure.
func TestLogsShowNoPasswords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, env := secretive(t)
		w.up(env)
		for _, node := range w.nodes() {
			w.chatter(node.ID)
		}
		failed := errors.New("failed")
		err := kindenv.RunIn(t.Context(), env, func(context.Context, *kindenv.Environment) error { return failed })
		if !errors.Is(err, failed) {
			t.Errorf("got %v, want %v", err, failed)
		}
		var dumped strings.Builder
		files, _ := filepath.Glob(filepath.Join(w.CacheDir, "dumps", "x", "*", "*"))
		for _, file := range files {
			raw, _ := os.ReadFile(file)
			dumped.Write(raw)
		}
		if !strings.Contains(dumped.String(), "proxy is http://xxxxx@proxy.test:3128") {
			t.Errorf("the dump, %q, has no logs:\n%s", files, dumped.String())
		}
		w.leavesNothing(t)
	})
}

// TestRefusalsShowNoPasswords: a setting with a password that is not valid is not repeated.
func TestRefusalsShowNoPasswords(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, change := range map[string]func(*kindenv.Config){
			"registry":       func(cfg *kindenv.Config) { cfg.CloudProvider.Registry = "me:" + secret + "@mirror.test" },
			"registry's URL": func(cfg *kindenv.Config) { cfg.CloudProvider.Registry = "https://me:" + secret + "@mirror.test" },
			"image":          func(cfg *kindenv.Config) { cfg.NodeImage = "https://me:" + secret + "@registry.test/node" },
			"images":         func(cfg *kindenv.Config) { cfg.Images = []string{"https://me:" + secret + "@registry.test/app"} },
		} {
			cfg := kindenv.Config{Name: "x", Dir: w.project, CloudProvider: cloudprovider.DefaultConfig()}
			change(&cfg)
			_, err := kindenv.NewIn(w.World, cfg)
			if err == nil {
				t.Fatalf("%s: got no error", name)
			}
			discreet(t, name, err.Error())
		}
	})
}
