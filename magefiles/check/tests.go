package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// tested is a template for `go list` that leaves out packages without tests,
// which `go test` would compile all the same: for the programs of the node
// image that takes minutes.
const tested = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"

// Race is the argument for `go test` that turns the race detector on, or none
// where it cannot be used, because there is no C compiler, which it says on out.
func Race(ctx context.Context, out io.Writer, root string) []string {
	if reason := raceImpossible(ctx, root); reason != "" {
		fmt.Fprintf(out, "without the race detector: %s\n", reason)
		return nil
	}
	return []string{"-race"}
}

// Unit runs the unit tests of every module, with the race detector where that is possible.
func Unit(root string) Phase {
	return Phase{Name: "unit tests", Run: func(ctx context.Context, out io.Writer) error {
		args := append([]string{"test"}, Race(ctx, out, root)...)
		return perModule(root, func(dir string) error {
			packages, err := output(ctx, out, dir, "go", "list", "-f", tested, "./...")
			if err != nil || packages == "" {
				return err
			}
			return Command(ctx, out, dir, nil, "go", append(slices.Clone(args), strings.Fields(packages)...)...)
		})
	}}
}

// raceImpossible says why `go test -race` would not compile here, or nothing.
func raceImpossible(ctx context.Context, root string) string {
	enabled, err := output(ctx, io.Discard, root, "go", "env", "CGO_ENABLED")
	if err == nil && enabled != "1" {
		return "cgo is off (CGO_ENABLED=" + enabled + ")"
	}
	cc, err := output(ctx, io.Discard, root, "go", "env", "CC")
	if err == nil {
		_, err = exec.LookPath(cc)
	}
	if err != nil {
		return "no C compiler: " + err.Error()
	}
	return ""
}

// Contract runs the contract suites on the real engine that DOCKER_HOST or the
// current docker context names. env is asked for more of the environment when
// the phase starts.
func Contract(root string, env func() []string, needs ...string) Phase {
	return Phase{Name: "contract suites on the real engine", Needs: needs, Run: func(ctx context.Context, out io.Writer) error {
		packages, err := integrated(ctx, out, root)
		if err != nil {
			return err
		}
		if os.Geteuid() != 0 { // go test shows nothing of what a package that passes says
			fmt.Fprintln(out, "NOT RUN, since only root on Linux can make an engine that may suffer: the tests in magefiles/engine and magefiles/outage")
		}
		args := append([]string{"test", "-tags=integration", "-count=1", "-timeout=20m"}, packages...)
		return Command(ctx, out, root, env(), "go", args...)
	}}
}

// integrated lists the packages that have tests which need an engine; those of
// the others have run already.
func integrated(ctx context.Context, out io.Writer, root string) ([]string, error) {
	const ignored = "{{range .IgnoredGoFiles}}{{$.ImportPath}} {{.}}{{\"\\n\"}}{{end}}"
	list, err := output(ctx, out, root, "go", "list", "-f", ignored, "./...")
	if err != nil {
		return nil, err
	}
	var packages []string
	for line := range strings.Lines(list) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasSuffix(file, "_integration_test.go") && !slices.Contains(packages, path) {
			packages = append(packages, path)
		}
	}
	if len(packages) == 0 {
		return nil, errors.New("no package has tests that need an engine; want some")
	}
	return packages, nil
}

// EndToEnd runs the e2e suite, two clusters at a time. A line per case is
// printed, because this is the phase that one waits for.
func EndToEnd(root string, env func() []string, needs ...string) Phase {
	return Phase{Name: "e2e suite on real clusters", Needs: needs, Run: func(ctx context.Context, out io.Writer) error {
		return Command(ctx, out, root, env(),
			"go", "test", "-tags=e2e", "-count=1", "-v", "-parallel=2", "-timeout=45m", "./magefiles/e2e/...")
	}}
}

// Example runs the example project's own test, as whoever copies it does: its
// magefile brings an environment up, tests in it and removes it. The cluster
// has a name of its own, so that one which the user keeps is left alone.
func Example(root string, env func() []string, needs ...string) Phase {
	return Phase{Name: "the example's own test", Needs: needs, Run: func(ctx context.Context, out io.Writer) error {
		dir, err := os.MkdirTemp("", "magekind-example-")
		if err != nil {
			return fmt.Errorf("making a folder for the example's kubeconfig: %w", err)
		}
		defer os.RemoveAll(dir)
		vars := append(env(), fmt.Sprintf("KIND_CLUSTER_NAME=example-%d", os.Getpid()), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"))
		return Command(ctx, out, filepath.Join(root, "examples", "loadbalancer"), vars, "go", "tool", "mage", "test")
	}}
}
