package docker

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// settle is how long an engine may take to know the exit code of a command
// whose output has ended.
const settle = 10 * time.Second

// Exec implements [engine.Execer].
func (e *Engine) Exec(ctx context.Context, id string, command []string, out io.Writer) (int, error) {
	code, err := e.exec(ctx, id, command, out)
	if err != nil {
		return 0, fmt.Errorf("running %q in container %q: %w", command, id, err)
	}
	return code, nil
}

func (e *Engine) exec(ctx context.Context, id string, command []string, out io.Writer) (int, error) {
	made, err := ask(ctx, e, e.limits.work, func(ctx context.Context) (container.ExecCreateResponse, error) {
		return e.api.ContainerExecCreate(ctx, id, container.ExecOptions{Cmd: command, AttachStdout: true, AttachStderr: true})
	})
	if err != nil {
		return 0, err
	}
	stream, err := e.attach(ctx, made.ID)
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	watch := e.watch(ctx, 0) // the command may be silent, but the engine must be there
	defer watch.end()
	// the connection is no longer an HTTP request: nothing else ties it to ctx
	stop := context.AfterFunc(watch.ctx, stream.Close)
	defer stop()
	err = separate(watch.reader(stream.Reader), false, out)
	if err == nil {
		err = watch.ctx.Err()
	}
	if err != nil {
		return 0, watch.explain(ctx, err)
	}
	return e.exitCode(ctx, made.ID)
}

// attach starts a command and connects to its output. The client waits for the
// engine's answer there without a look at ctx, so it is left behind when that
// is done, with the connection, which goes when the engine answers or ends.
func (e *Engine) attach(ctx context.Context, execID string) (types.HijackedResponse, error) {
	type result struct {
		stream types.HijackedResponse
		err    error
	}
	return ask(ctx, e, e.limits.work, func(ctx context.Context) (types.HijackedResponse, error) {
		done := make(chan result, 1)
		go func() {
			stream, err := e.api.ContainerExecAttach(ctx, execID, container.ExecAttachOptions{})
			done <- result{stream, err}
		}()
		select {
		case r := <-done:
			return r.stream, r.err
		case <-ctx.Done():
			go func() {
				if late := <-done; late.err == nil {
					late.stream.Close()
				}
			}()
			return types.HijackedResponse{}, ctx.Err()
		}
	})
}

func (e *Engine) exitCode(ctx context.Context, execID string) (int, error) {
	var code int
	err := retry.Until(ctx, settle, func(context.Context) error {
		state, err := ask(ctx, e, e.limits.question, func(ctx context.Context) (container.ExecInspect, error) {
			return e.api.ContainerExecInspect(ctx, execID)
		})
		if err != nil {
			return retry.Stop(err)
		}
		if state.Running {
			return fmt.Errorf("%w: its output has ended and it goes on", engine.ErrConflict)
		}
		code = state.ExitCode
		return nil
	})
	return code, err
}
