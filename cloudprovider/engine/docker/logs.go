package docker

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// Logs implements [engine.LogStreamer].
func (e *Engine) Logs(ctx context.Context, id string, opts engine.LogOptions, out io.Writer) error {
	if err := e.logs(ctx, id, opts, out); err != nil {
		return fmt.Errorf("reading logs of container %q: %w", id, err)
	}
	return nil
}

func (e *Engine) logs(ctx context.Context, id string, opts engine.LogOptions, out io.Writer) error {
	of, err := e.look(ctx, id)
	if err != nil {
		return err
	}
	watch := e.watch(ctx, 0)
	defer watch.end()
	stream, err := e.api.ContainerLogs(watch.ctx, id, logsOptions(opts))
	if err != nil {
		return watch.explain(ctx, err)
	}
	defer stream.Close()
	return watch.explain(ctx, separate(watch.reader(stream), of.Config != nil && of.Config.Tty, out))
}

func logsOptions(opts engine.LogOptions) container.LogsOptions {
	api := container.LogsOptions{ShowStdout: true, ShowStderr: true, Follow: opts.Follow, Tail: "all"}
	if opts.Tail > 0 {
		api.Tail = strconv.Itoa(opts.Tail)
	}
	if !opts.Since.IsZero() {
		api.Since = timestamp(opts.Since)
	}
	if !opts.Until.IsZero() {
		api.Until = timestamp(opts.Until)
	}
	return api
}

// timestamp writes a time as the API takes it.
func timestamp(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }

// separate copies a container's output to out. Without a terminal the API
// wraps each piece of stdout and stderr in a frame; with one there is a single
// stream as it is.
func separate(stream io.Reader, tty bool, out io.Writer) (err error) {
	if tty {
		_, err = io.Copy(out, stream)
	} else {
		_, err = stdcopy.StdCopy(out, out, stream)
	}
	return err
}
