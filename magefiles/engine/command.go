package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// adminPath lists folders that an administrator's PATH has and a user's may lack.
const adminPath = "/usr/local/sbin:/usr/sbin:/sbin"

// lookPath finds a program in PATH or in the administrator's folders.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil || errors.Is(err, exec.ErrDot) {
		return path, err
	}
	for _, dir := range filepath.SplitList(adminPath) {
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("looking for the program %q: %w", name, fs.ErrNotExist)
}

// with returns the environment with these variables changed, and with the
// administrator's folders at the end of PATH.
func with(changes ...string) []string {
	env := append(os.Environ(), "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+adminPath)
	return append(env, changes...)
}

// shownArgs of a command are in its error: enough to know what was tried.
const shownArgs = 4

// output runs a command and returns what it printed on stdout. The error of a
// command that failed has the beginning of what it printed: on stderr, and on
// stdout, where some versions of docker exec write the runtime's answer.
func output(cmd *exec.Cmd) (string, error) {
	text, err := cmd.Output()
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	shown := cmd.Args
	if len(shown) > shownArgs {
		shown = append(shown[:shownArgs:shownArgs], "…")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if said := strings.TrimSpace(head(string(exit.Stderr)) + "\n" + head(string(text))); said != "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	return "", fmt.Errorf("running %s: %w", strings.Join(shown, " "), err)
}

// head returns the first lines of a text.
func head(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), shownLines)], "\n")
}

// ip runs iproute2's ip.
func ip(ctx context.Context, args ...string) error {
	path, err := lookPath("ip")
	if err != nil {
		return err
	}
	_, err = output(exec.CommandContext(ctx, path, args...))
	return err
}

// dockerCLI returns a call of the docker command, as kind makes them, to the engine at host.
func dockerCLI(ctx context.Context, host string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Env = with()
	if host != "" {
		cmd.Env = with("DOCKER_HOST=" + host)
	}
	return cmd
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
