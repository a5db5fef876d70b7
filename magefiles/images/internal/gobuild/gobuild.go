// Package gobuild runs the go command for the programs of the images.
package gobuild

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

// downloads is how many modules are downloaded at once. The go command takes one
// for each core, which leaves a fast line idle.
const downloads = 24

// Module is a Go module whose programs are built.
type Module struct {
	Dir  string // the folder of its go.mod
	Tags string // build tags, separated by commas; the same for all that is to share compiled packages
}

// Program is a set of main packages that are built by one command, so that what
// they share is compiled once.
type Program struct {
	Packages []string // import paths, or relative to Module.Dir
	Out      string   // file, or folder with a trailing slash; empty: the packages are only compiled
	LDFlags  string   // added to the flags that leave out symbols
	Seldom   []string // patterns of packages whose code is not worth inlining
	CGO      bool     // off: the programs are static
	Total    int      // number of packages, for those who watch; 0: not known
}

// Download gets what the packages need, and returns how many packages that is
// without the standard library's.
func (m Module) Download(ctx context.Context, packages ...string) (int, error) {
	args := append([]string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "-tags", m.Tags}, packages...)
	cmd := m.golang(ctx, args, fmt.Sprintf("GOMAXPROCS=%d", downloads), "CGO_ENABLED=0")
	out, err := output(cmd)
	if err != nil {
		return 0, fmt.Errorf("download the modules of %q: %w", m.Dir, err)
	}
	return len(bytes.Fields(out)), nil
}

// Build builds p and calls compiled with the number of packages compiled so far.
func (m Module) Build(ctx context.Context, p Program, compiled func(n int)) error {
	// No debug information and no symbols: nobody looks for them in an image, and
	// the compiler is quicker without. Profiles would have shared packages
	// compiled once for each program.
	args := []string{
		"build", "-v", "-trimpath", "-buildvcs=false", "-pgo=off", "-tags", m.Tags,
		"-gcflags=all=-dwarf=false", "-ldflags", strings.TrimSpace("-s -w " + p.LDFlags),
	}
	for _, pattern := range p.Seldom {
		args = append(args, "-gcflags="+pattern+"=-dwarf=false -l")
	}
	if p.Out != "" {
		args = append(args, "-o", p.Out)
	}
	cgo := "CGO_ENABLED=0"
	if p.CGO {
		cgo = "CGO_ENABLED=1"
	}
	cmd := m.golang(ctx, append(args, p.Packages...), cgo)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	complaints := follow(stderr, compiled)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("build %s in %q: %w\n%s", strings.Join(p.Packages, " "), m.Dir, err, complaints)
	}
	return nil
}

// follow counts the import paths in what go build -v says, and returns the rest.
func follow(stderr io.Reader, compiled func(n int)) string {
	var complaints []string
	n := 0
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "#") || strings.ContainsAny(line, " \t") {
			complaints = append(complaints, line)
			continue
		}
		n++
		if compiled != nil {
			compiled(n)
		}
	}
	_, _ = io.Copy(io.Discard, stderr) // a line too long for the scanner must not block go
	return strings.Join(complaints, "\n")
}

// Versions returns the versions that the module's go.mod requires, by module
// path, without asking anything of the network.
func (m Module) Versions(ctx context.Context) (map[string]string, error) {
	out, err := output(m.golang(ctx, []string{"mod", "edit", "-json"}))
	if err != nil {
		return nil, fmt.Errorf("read the go.mod of %q: %w", m.Dir, err)
	}
	var file struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &file); err != nil {
		return nil, fmt.Errorf("read the go.mod of %q: %w", m.Dir, err)
	}
	versions := map[string]string{}
	for _, require := range file.Require {
		versions[require.Path] = require.Version
	}
	return versions, nil
}

// Source returns the folder with the source of another module that m requires,
// after downloading it where necessary.
func (m Module) Source(ctx context.Context, module string) (string, error) {
	out, err := output(m.golang(ctx, []string{"mod", "download", "-json", module}))
	if err != nil {
		return "", fmt.Errorf("download the module %q: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", fmt.Errorf("download the module %q: %w", module, err)
	}
	return found.Dir, nil
}

// golang returns the go command in the module's folder. What the caller's own
// environment says about flags and workspaces is for the caller's own modules.
func (m Module) golang(ctx context.Context, args []string, env ...string) *exec.Cmd {
	cmd := command.New(ctx, "go", args...)
	cmd.Dir = m.Dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	cmd.Env = append(cmd.Env, collector(os.Getenv, "/proc/meminfo")...)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// output returns the command's standard output, with its complaints in the error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", cmd.Args[1], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
