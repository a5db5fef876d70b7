package kindenv_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// speaking makes every node answer every command with its last word.
func (w *world) speaking() {
	w.engine.Script(func(spec engine.Spec) enginetest.Behaviour {
		return enginetest.Behaviour{OnExec: func(command []string) (string, int) {
			line := command[len(command)-1]
			switch {
			case command[0] == "cat":
				return string(w.api.Kubeconfig("x")), 0
			case strings.Contains(line, "get gatewayclasses"):
				return "no such thing\n", 1
			case strings.Contains(line, "get pods"):
				return "kube-system coredns 0/1 Pending\n", 0
			case strings.Contains(line, "unit=kubelet"):
				return "\x1b[31mkubelet: no CNI\x1b[0m\rHTTP_PROXY=http://me:s3cret@proxy token=s3cret\n", 0
			}
			return "said by " + line + "\n" + string(w.api.Kubeconfig("x")), 0
		}}
	})
}

// dumped are the files of a dump with their contents.
func dumped(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s (%s)", path, info.Mode())
		}
		if entry.IsDir() {
			return nil
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFailedCreationInCI: the nodes are gone, and what they said is not.
func TestFailedCreationInCI(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Env["CI"] = "true"
		w.speaking()
		w.kind.Creating = func(context.Context, kind.CreateSpec) error {
			return &kind.CommandError{Doing: `create cluster "x"`, Command: "docker exec x kubeadm init", Output: "first\n" + strings.Repeat("waiting for the kubelet\n", 15) + "gave up at http://me:s3cret@mirror", Hint: "boot it"}
		}
		env := w.environment()
		err := env.Up(t.Context())
		var failure *kindenv.Failure
		if !errors.As(err, &failure) || !failure.Explained || failure.Dump != env.DumpFolder() {
			t.Fatalf("got %#v", err)
		}
		block := blockOf(t, w)
		for _, want := range []string{
			"error: create cluster \"x\"", "boot it", "--- output of docker exec x kubeadm init (last lines)\n  | first\n", "--- kubelet of x-control-plane (last lines)\n  | kubelet: no CNI", "dump:  " + env.DumpFolder(),
		} {
			if !strings.Contains(block, want) {
				t.Errorf("the block lacks %q:\n%s", want, block)
			}
		}
		wantDump(t, env)
		if len(w.nodes()) > 0 {
			t.Error("the nodes are left")
		}
		if err := env.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantDump(t, env) // it survives
	})
}

// wantDump checks what must be, and what must not be in every dump.
func wantDump(t *testing.T, env *kindenv.Environment) {
	t.Helper()
	files := dumped(t, env.DumpFolder())
	for name, want := range map[string]string{
		"error.txt": "environment: x", "versions.txt": "docker 28.0", "status.txt": "Environment \"x\"", "containers.json": `"x-control-plane"`,
		"nodes/x-control-plane/kubelet.log": "no CNI", "nodes/x-control-plane/journal.log": "said by", "nodes/x-control-plane/pods.log": "said by",
		"kubernetes/pods.txt": "coredns", "kubernetes/events.txt": "said by", "kubernetes/all.txt": "said by", "kubernetes/gateways.txt": "exit code 1",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s lacks %q:\n%s", name, want, files[name])
		}
	}
	for name, content := range files {
		if strings.Contains(content, "s3cret") || strings.Contains(content, "client-key-data: L") {
			t.Errorf("%s has a credential in it:\n%s", name, content)
		}
	}
}

// blockOf is the end of the output, which must be fit for a file.
func blockOf(t *testing.T, w *world) string {
	t.Helper()
	out := w.out.String()
	if strings.ContainsAny(out, "\x1b\r") || strings.Contains(out, "s3cret") {
		t.Errorf("the output has escape sequences or credentials in it:\n%q", out)
	}
	before, block, found := strings.Cut(out, "\nEnvironment \"x\" failed\n")
	if !found || strings.Contains(block, " ✗ ") || strings.Contains(before, "error:") {
		t.Fatalf("the output does not end with one block:\n%s", out)
	}
	return block
}

func TestFailureOfTheCloudProviderInCI(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Env["CI"], w.Env["GITHUB_ACTIONS"] = "1", "true"
		w.speaking()
		w.provider.onStart = func(context.Context) error {
			w.engine.Put(engine.Container{Name: "x-cloud-provider", Labels: map[string]string{"io.magekind.cluster": "x"}})
			return errors.New("exited with code 1\nits last lines: no socket")
		}
		env := w.environment()
		wantError(t, env.Up(t.Context()), "exited with code 1")
		block := blockOf(t, w)
		for _, want := range []string{"step:  Starting cloud provider", "its last lines: no socket", "\n::group::events (last lines)\n", "\n::endgroup::\n", "\n::error title=Environment x::start the cloud provider: exited with code 1\n", "mage env:down"} {
			if !strings.Contains(block, want) {
				t.Errorf("the block lacks %q:\n%s", want, block)
			}
		}
		wantDump(t, env)
	})
}

// TestFailureOutsideCI is short, and keeps nothing unless that is asked for.
func TestFailureOutsideCI(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, dir := range []string{"", "dumps"} {
			w := newWorld(t)
			w.speaking()
			w.provider.onStart = func(context.Context) error { return errors.New("boom") }
			env := w.environment(func(cfg *kindenv.Config) { cfg.DumpDir = dir })
			wantError(t, env.Up(t.Context()), "boom")
			block := blockOf(t, w)
			if want := filepath.Join(w.project, "dumps", "x"); dir != "" && env.DumpFolder() != want {
				t.Errorf("the folder is %q, want %q", env.DumpFolder(), want)
			}
			_, err := os.Stat(env.DumpFolder())
			if kept, want := err == nil, dir != ""; kept != want || strings.Contains(block, "---") != want || strings.Contains(block, "DumpDir") == want {
				t.Errorf("DumpDir %q: a dump was kept: %v (%v), and the block is\n%s", dir, kept, err, block)
			}
		}
	})
}

// TestInterruptedUpExplainsNothing: there are seconds, which the removal needs.
func TestInterruptedUpExplainsNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Env["CI"] = "true"
		ctx, cancel := context.WithCancel(t.Context())
		w.kind.Creating = func(ctx context.Context, _ kind.CreateSpec) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		env := w.environment()
		if err := env.Up(ctx); !errors.Is(err, context.Canceled) || errors.As(err, new(*kindenv.Failure)) {
			t.Errorf("Up = %#v", err)
		}
		if _, err := os.Stat(env.DumpFolder()); !os.IsNotExist(err) || strings.Contains(w.out.String(), "failed") {
			t.Errorf("it explains: %v\n%s", err, w.out)
		}
	})
}
