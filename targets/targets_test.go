package targets_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/magekind/magekind/magefiles/consumer"
)

// TestConsumer runs the real mage binary in projects that import the targets.
// No script reaches an engine. UPDATE_GOLDEN=1 rewrites the expected outputs.
func TestConsumer(t *testing.T) {
	t.Parallel()
	root, err := consumer.Root()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if _, err := consumer.BuildMage(t.Context(), root, bin); err != nil {
		t.Fatal(err)
	}
	goEnv, err := goEnvironment(t.Context(), "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOSUMDB")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE_GOLDEN") != "",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("DOCKER_HOST", "unix://"+filepath.Join(env.WorkDir, "no-engine.sock"))
			return consumer.Write(env.WorkDir, root, "example.test/shop", nil)
		},
	})
}

// exits is a script command: `exits code program args…` runs the program and
// wants that exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits code program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// goEnvironment returns settings of the go command as NAME=value, for scripts
// whose home is elsewhere.
func goEnvironment(ctx context.Context, names ...string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	values := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	env := make([]string, len(names))
	for i, name := range names {
		env[i] = name + "=" + values[i]
	}
	return env, nil
}
