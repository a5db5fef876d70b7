package engine_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/magefiles/images/internal/engine"
)

func ExampleDocker() {
	docker := engine.Docker{}
	found, err := docker.Find(context.Background(), "localhost/example:1", map[string]string{"key": "1"})
	_, _ = found, err
}

// fake makes a docker command that writes its arguments to a file, one call a
// line, then runs the given shell script. It returns the command's path and a
// function that reads the calls.
func fake(t *testing.T, script string) (engine.Docker, func() []string) {
	t.Helper()
	folder := t.TempDir()
	path, calls := filepath.Join(folder, "docker"), filepath.Join(folder, "calls")
	text := "#!/bin/sh\necho \"$*\" >>'" + calls + "'\n" + script + "\n"
	// A process forked while the script is open for writing would keep it so, and then nobody could execute it.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return engine.Docker{Command: path}, func() []string {
		content, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(content)), "\n")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const name = "localhost/magekind/node:v1"
	for _, c := range []struct {
		name   string
		script string
		want   bool
		calls  int
	}{
		{name: "absent", script: "", want: false, calls: 1},
		{name: "named", script: "echo sha256:1 " + name, want: true, calls: 1},
		{name: "named among others", script: "echo sha256:1 other:1; echo sha256:1 " + name, want: true, calls: 1},
		{name: "lost its name", script: "test $2 = tag || echo 'sha256:1 <none>:<none>'", want: true, calls: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			docker, calls := fake(t, c.script)
			got, err := docker.Find(t.Context(), name, map[string]string{"b": "2", "a": "1"})
			if err != nil || got != c.want {
				t.Errorf("got %t, %v, want %t", got, err, c.want)
			}
			if len(calls()) != c.calls {
				t.Fatalf("got calls %q, want %d", calls(), c.calls)
			}
			if !strings.HasSuffix(calls()[0], "--filter label=a=1 --filter label=b=2") {
				t.Errorf("the labels are not all asked for: %q", calls()[0])
			}
			if want := "image tag sha256:1 " + name; c.calls == 2 && calls()[1] != want {
				t.Errorf("got %q, want %q", calls()[1], want)
			}
		})
	}
}

func TestFindSaysWhyNot(t *testing.T) {
	t.Parallel()
	docker, _ := fake(t, "echo 'Cannot connect to the Docker daemon' >&2; exit 1")
	_, err := docker.Find(t.Context(), "a:1", nil)
	if err == nil || !strings.Contains(err.Error(), `"a:1"`) || !strings.Contains(err.Error(), "Cannot connect") {
		t.Errorf("got %v, want the image and docker's own words", err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	docker, calls := fake(t, "cat >'"+folder+"/stdin'")
	err := docker.Load(t.Context(), func(w io.Writer) error {
		_, err := io.WriteString(w, "archive")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "stdin"))
	if err != nil || string(content) != "archive" {
		t.Errorf("the engine got %q, %v", content, err)
	}
	if got := calls(); len(got) != 1 || got[0] != "image load --quiet" {
		t.Errorf("got calls %q", got)
	}
}

func TestLoadFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("layer is gone")
	endless := func(w io.Writer) error {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct {
		name, script, want string
		write              func(io.Writer) error
	}{
		{"engine stops reading", "echo 'no space left' >&2; exit 1", "no space left", endless},
		{"archive cannot be written", "cat >/dev/null", "layer is gone", func(io.Writer) error { return broken }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			docker, _ := fake(t, c.script)
			err := docker.Load(t.Context(), c.write)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	docker, calls := fake(t, "")
	if err := docker.Prune(t.Context(), map[string]string{"a": "1"}, "key=2"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"image prune --force --filter label=a=1",
		"image prune --force --filter label=a=1 --all --filter label!=key=2 --filter until=168h",
	}
	if got := calls(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got calls %q, want %q", got, want)
	}
	docker, _ = fake(t, "exit 1")
	if err := docker.Prune(t.Context(), nil, "key=2"); err == nil {
		t.Error("no error when the engine refuses")
	}
}
