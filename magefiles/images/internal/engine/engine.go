// Package engine finds and loads images in the container engine that the docker
// command reaches: DOCKER_HOST and the current context count, as they do for
// everything else that calls the command.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

// errClosed is what the writer of an archive gets when the engine reads no more.
var errClosed = errors.New("the container engine reads no more")

// Docker is the docker command.
type Docker struct {
	Command string // name or path; default "docker"
}

// Platform returns the engine's operating system and architecture in Go's words,
// such as "linux/amd64".
func (d Docker) Platform(ctx context.Context) (string, error) {
	out, err := d.run(ctx, nil, "version", "--format", "{{.Server.Os}}/{{.Server.Arch}}")
	if err != nil {
		return "", fmt.Errorf("ask the container engine for its platform: %w", err)
	}
	return out, nil
}

// Find reports whether the engine has an image with all of the labels under the
// given name. An image that has the labels but lost the name gets it back.
func (d Docker) Find(ctx context.Context, name string, labels map[string]string) (bool, error) {
	args := []string{"image", "ls", "--no-trunc", "--format", "{{.ID}} {{.Repository}}:{{.Tag}}"}
	out, err := d.run(ctx, nil, append(args, filters(labels)...)...)
	if err != nil {
		return false, fmt.Errorf("look for image %q: %w", name, err)
	}
	id := ""
	for line := range strings.Lines(out) {
		var other string
		id, other, _ = strings.Cut(strings.TrimSpace(line), " ")
		if other == name {
			return true, nil
		}
	}
	if id == "" {
		return false, nil
	}
	if _, err := d.run(ctx, nil, "image", "tag", id, name); err != nil {
		return false, fmt.Errorf("name image %s %q: %w", id, name, err)
	}
	return true, nil
}

// Load hands the archive that write writes, as docker save makes them, to the engine.
func (d Docker) Load(ctx context.Context, write func(io.Writer) error) error {
	reader, writer := io.Pipe()
	var writing error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		writing = write(writer)
		writer.CloseWithError(writing)
	}()
	_, err := d.run(ctx, reader, "image", "load", "--quiet")
	reader.CloseWithError(errClosed)
	<-finished
	if writing != nil && !errors.Is(writing, errClosed) {
		return fmt.Errorf("write the image archive: %w", writing)
	}
	if err != nil {
		return fmt.Errorf("load the image into the container engine: %w", err)
	}
	return nil
}

// old is how long an image that nothing uses is kept for those who may go back to
// the sources that it was made from.
const old = "168h"

// Prune removes the images with the labels that no container uses: those whose
// name another image has taken, and old ones unless they have the label keep.
func (d Docker) Prune(ctx context.Context, labels map[string]string, keep string) error {
	prune := append([]string{"image", "prune", "--force"}, filters(labels)...)
	if _, err := d.run(ctx, nil, prune...); err != nil {
		return fmt.Errorf("remove superseded images: %w", err)
	}
	prune = append(prune, "--all", "--filter", "label!="+keep, "--filter", "until="+old)
	if _, err := d.run(ctx, nil, prune...); err != nil {
		return fmt.Errorf("remove old images: %w", err)
	}
	return nil
}

func filters(labels map[string]string) []string {
	var args []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		args = append(args, "--filter", "label="+name+"="+labels[name])
	}
	return args
}

// run returns the command's standard output without surrounding space.
func (d Docker) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	name := d.Command
	if name == "" {
		name = "docker"
	}
	cmd := command.New(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return strings.TrimSpace(stdout.String()), nil
}
