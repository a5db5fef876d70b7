package engine

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

const (
	probeRepository = "localhost/magekind/probe"
	probeLabel      = "magekind.probe"
	probeBudget     = time.Minute
	cleanupBudget   = 20 * time.Second
)

// errCannotRun is the class of an engine that refuses a container like a kind node.
var errCannotRun = errors.New("a privileged container does not run there")

// probe runs a container on the engine at host as privileged as a kind node,
// and a privileged command in it. Its error is an errCannotRun when the engine
// refuses them.
func (m *maker) probe(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, probeBudget)
	defer cancel()
	image, err := m.probeImage(ctx, host)
	if err != nil {
		return err
	}
	name := "magekind-probe-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	defer removeProbe(ctx, host, name)
	// the flags that kind gives its nodes, as far as they ask something of the engine
	if _, err := output(dockerCLI(ctx, host, "run", "--privileged", "--detach", "--rm", "--name", name, "--label", probeLabel,
		"--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined",
		"--cgroupns=private", "--tmpfs", "/tmp", "--tmpfs", "/run", "--network", "none", image)); err != nil {
		return refusal(ctx, err)
	}
	if _, err := output(dockerCLI(ctx, host, "exec", "--privileged", name, "/probe", "check")); err != nil {
		return refusal(ctx, err)
	}
	return nil
}

// refusal tells the engine's answer from a call that was given up.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("probing the engine: %w: %w", context.Cause(ctx), err)
	}
	return fmt.Errorf("%w: %w", errCannotRun, err)
}

// removeProbe removes the container also when ctx has ended. It is no failure
// that it can't: the program in it ends by itself, and --rm removes it then.
func removeProbe(ctx context.Context, host, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBudget)
	defer cancel()
	_, _ = output(dockerCLI(ctx, host, "rm", "--force", "--volumes", name))
}

// probeImage returns the reference of the probe's image on the engine at host,
// which is imported when it is not there.
func (m *maker) probeImage(ctx context.Context, host string) (string, error) {
	arch, err := output(dockerCLI(ctx, host, "version", "--format", "{{.Server.Arch}}"))
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("probing the engine: kind needs the docker command, which is not in PATH: install it (Debian: docker.io or docker-cli): %w", err)
	}
	if err != nil {
		return "", fmt.Errorf("probing the engine: %w", err)
	}
	source, err := newProgram("probe")
	if err != nil {
		return "", err
	}
	key := source.key(arch)
	image := probeRepository + ":" + key
	if there, err := m.hasImage(ctx, host, image, key); err != nil || there {
		return image, err
	}
	path, err := source.compile(ctx, m.programs(), arch)
	if err != nil {
		return "", err
	}
	archive, err := probeArchive(path)
	if err != nil {
		return "", err
	}
	load := dockerCLI(ctx, host, "import", "--change", `ENTRYPOINT ["/probe"]`, "--change", "LABEL "+probeLabel+"="+key, "-", image)
	load.Stdin = archive
	if _, err := output(load); err != nil {
		return "", fmt.Errorf("importing the probe's image: %w", err)
	}
	return image, nil
}

// hasImage says whether the engine has the image of that key.
func (m *maker) hasImage(ctx context.Context, host, image, key string) (bool, error) {
	e, err := m.open(ctx, host)
	if err != nil {
		return false, err
	}
	defer e.Close()
	found, err := e.Image(ctx, image)
	if errors.Is(err, engine.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for the probe's image: %w", err)
	}
	return found.Labels[probeLabel] == key, nil
}

// probeArchive is the file system of the probe's image: one program.
func probeArchive(path string) (io.Reader, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("making the probe's image: %w", err)
	}
	var text bytes.Buffer
	archive := tar.NewWriter(&text)
	header := &tar.Header{Typeflag: tar.TypeReg, Name: "probe", Mode: 0o755, Size: int64(len(content))}
	if err := archive.WriteHeader(header); err != nil {
		return nil, fmt.Errorf("making the probe's image: %w", err)
	}
	if _, err := archive.Write(content); err != nil {
		return nil, fmt.Errorf("making the probe's image: %w", err)
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("making the probe's image: %w", err)
	}
	return &text, nil
}
