package cloudprovider_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// pulls returns what was pulled, in order.
func (f fixture) pulls() []string {
	var refs []string
	for _, call := range f.Calls() {
		if ref, ok := strings.CutPrefix(call, "Pull "); ok {
			refs = append(refs, ref)
		}
	}
	return refs
}

// questions counts the containers that were made to ask for the proxies' image.
func (f fixture) questions() int {
	n := 0
	for _, call := range f.Calls() {
		if strings.HasPrefix(call, "Create "+name+"-list-images-") {
			n++
		}
	}
	return n
}

func TestPrepareImagesPullsOnlyWhatIsAbsent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, absent := range [][]string{nil, {image}, {proxy}, {image, proxy}} {
			f := newFixture(t)
			for _, ref := range absent {
				f.RemoveImage(ref)
				f.AddRemoteImage(ref)
			}
			var seen []string
			cfg := config()
			cfg.Progress = func(ref string, _ engine.PullProgress) { seen = append(seen, ref) }
			if err := f.controller(cfg).PrepareImages(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := f.pulls(); !slices.Equal(got, absent) {
				t.Errorf("pulled %q, want %q", got, absent)
			}
			if got := slices.Compact(seen); !slices.Equal(got, absent) {
				t.Errorf("progress of %q, want of %q", got, absent)
			}
			f.wantNames("demo-control-plane")
		}
	})
}

func TestPrepareImagesAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		cfg := config()
		cfg.CacheDir = filepath.Join(t.TempDir(), "not", "yet")
		first := f.controller(cfg)
		for _, c := range []*cloudprovider.Controller{first, first, f.controller(cfg)} {
			if err := c.PrepareImages(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.questions(); got != 1 {
			t.Errorf("asked %d times, want once", got)
		}
		f.AddImage(image, enginetest.WithImageID("sha256:new"))
		if err := first.PrepareImages(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := f.questions(); got != 2 {
			t.Errorf("asked %d times, want again for a new image of that name", got)
		}
	})
}

func TestPrepareImagesRemembersWithoutCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		c := f.controller(config())
		for range 2 {
			if err := c.PrepareImages(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.questions(); got != 1 {
			t.Errorf("asked %d times, want once", got)
		}
	})
}

func TestPrepareImagesDistrustsItsCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		cfg := config()
		cfg.CacheDir = t.TempDir()
		if err := f.controller(cfg).PrepareImages(t.Context()); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(cfg.CacheDir)
		if err != nil || len(entries) != 1 {
			t.Fatalf("got %v and %v, want one file", entries, err)
		}
		if err := os.WriteFile(filepath.Join(cfg.CacheDir, entries[0].Name()), []byte("NOT an image\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.controller(cfg).PrepareImages(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := f.questions(); got != 2 {
			t.Errorf("asked %d times, want again", got)
		}
	})
}

func TestPrepareImagesFromMirror(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct{ registry, answer, want string }{
			{"mirror.example.com:5000/hub", proxy, "mirror.example.com:5000/hub/envoyproxy/envoy:v1.33.2"},
			{"mirror.example.com", "envoyproxy/envoy:v2", "mirror.example.com/envoyproxy/envoy:v2"},
			{"mirror.example.com", "quay.io/other/proxy:v1", "quay.io/other/proxy:v1"},
		} {
			f := newFixture(t)
			f.AddRemoteImage(test.want)
			f.Script(func(engine.Spec) enginetest.Behaviour { return exits(0, "some warning", test.answer, "") })
			cfg := config()
			cfg.Registry = test.registry
			if err := f.controller(cfg).PrepareImages(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, want := f.pulls(), []string{test.want}; !slices.Equal(got, want) {
				t.Errorf("pulled %q, want %q", got, want)
			}
		}
	})
}

// TestPrepareImagesGoesOnWithoutAnAnswer: pulling ahead is a service, not a need.
func TestPrepareImagesGoesOnWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(f fixture){
		"exits with an error": func(f fixture) {
			f.Script(func(engine.Spec) enginetest.Behaviour { return exits(1, "alpine") })
		},
		"answers nonsense": func(f fixture) {
			f.Script(func(engine.Spec) enginetest.Behaviour { return exits(0, "No Image Here") })
		},
		"can't be created": func(f fixture) { f.Fail("Create", 1, errors.New("no space left")) },
		"can't be read":    func(f fixture) { f.Fail("Logs", 1, errors.New("no log driver")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				prepare(f)
				var notices []string
				cfg := config()
				cfg.Notice = func(message string) { notices = append(notices, message) }
				if err := f.controller(cfg).PrepareImages(t.Context()); err != nil {
					t.Fatal(err)
				}
				if len(notices) != 1 || !strings.Contains(notices[0], image) {
					t.Errorf("got notices %q, want one that names %s", notices, image)
				}
				f.wantNames("demo-control-plane")
			})
		})
	}
}

func TestPullFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, ref := range []string{image, proxy} {
			f := newFixture(t)
			f.RemoveImage(ref)
			err := f.controller(config()).Start(t.Context())
			wantError(t, err, ref, "pulling image", "no registry has it", "not on the engine", "ResolveImage")
			f.wantNames("demo-control-plane")
		}
	})
}

func TestPullUnauthorized(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.RemoveImage(image)
		f.Fail("Pull", 1, engine.ErrUnauthorized)
		wantError(t, f.controller(config()).PrepareImages(t.Context()), image, "docker login example.com")
	})
}
