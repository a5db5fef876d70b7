package kind

import (
	"context"
	"errors"
	"fmt"
	"io"
	osexec "os/exec"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/cluster/nodes"
)

// LoadArchive loads an archive of images into every node of a cluster, reading it once.
//
// Each node takes what fits its own platform. (kind's own loading asks for all
// platforms, and fails on the archives of engines with the containerd image
// store, which list platforms whose layers they don't hold.)
func (d *Driver) LoadArchive(ctx context.Context, name string, archive io.Reader) error {
	targets, err := d.kubernetesNodes(ctx, name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan error, len(targets))
	writers := make([]io.Writer, len(targets))
	pipes := make([]*io.PipeWriter, len(targets))
	for i, node := range targets {
		reader, writer := io.Pipe()
		writers[i], pipes[i] = writer, writer
		go func() {
			err := importArchive(ctx, node, reader)
			if err == nil { // the archive's padding is not for the node, but the other end writes it
				_, _ = io.Copy(io.Discard, reader)
			}
			// a reader that is gone must not block the others' writer
			_ = reader.CloseWithError(errImportEnded)
			results <- err
		}()
	}
	_, copyErr := io.Copy(io.MultiWriter(writers...), archive)
	for _, pipe := range pipes {
		_ = pipe.CloseWithError(copyErr)
	}
	var errs []error
	for range targets {
		errs = append(errs, <-results)
	}
	if copyErr != nil && !errors.Is(copyErr, errImportEnded) {
		errs = append(errs, fmt.Errorf("read the image archive: %w", copyErr))
	}
	return errors.Join(errs...)
}

var errImportEnded = errors.New("the node's import has ended")

func importArchive(ctx context.Context, node nodes.Node, archive io.Reader) error {
	doing := fmt.Sprintf("load images into node %q", node)
	var dump strings.Builder
	if err := run(ctx, node.CommandContext(ctx, "containerd", "config", "dump").SetStdout(&dump)); err != nil {
		return explain(doing, err)
	}
	args := []string{"--namespace=k8s.io", "images", "import", "--digests"}
	if snapshotter := snapshotterOf(dump.String()); snapshotter != "" {
		args = append(args, "--snapshotter="+snapshotter)
	}
	return explain(doing, run(ctx, node.CommandContext(ctx, "ctr", append(args, "-")...).SetStdin(archive)))
}

// snapshotterOf finds the snapshotter that Kubernetes uses in a dump of
// containerd's configuration (versions 2 to 4). Empty: containerd's default.
func snapshotterOf(dump string) string {
	section := ""
	for line := range strings.Lines(dump) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.NewReplacer("'", "", `"`, "").Replace(strings.Trim(line, "[]"))
			continue
		}
		switch section {
		case "plugins.io.containerd.cri.v1.images", "plugins.io.containerd.grpc.v1.cri.containerd":
			if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "snapshotter" {
				return strings.Trim(strings.TrimSpace(value), `'"`)
			}
		}
	}
	return ""
}

// SaveImages writes an archive of local images to out, with the runtime's own `save` command.
func (d *Driver) SaveImages(ctx context.Context, refs []string, out io.Writer) error {
	var stderr strings.Builder
	cmd := osexec.CommandContext(ctx, d.runtime, append([]string{"save"}, refs...)...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, &stderr, time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return &CommandError{
			Doing: fmt.Sprintf("save images %q", refs), Command: strings.Join(cmd.Args, " "),
			Output: stderr.String(), err: err,
		}
	}
	return nil
}
