package docker

import (
	"context"
	"fmt"
	"io"
	"time"

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
	made, err := e.api.ContainerExecCreate(ctx, id, container.ExecOptions{Cmd: command, AttachStdout: true, AttachStderr: true})
	if err != nil {
		return 0, translate(err)
	}
	stream, err := e.api.ContainerExecAttach(ctx, made.ID, container.ExecAttachOptions{})
	if err != nil {
		return 0, translate(err)
	}
	defer stream.Close()
	// the connection is no longer an HTTP request: nothing else ties it to ctx
	stop := context.AfterFunc(ctx, stream.Close)
	defer stop()
	if err := separate(ctx, stream.Reader, false, out); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return e.exitCode(ctx, made.ID)
}

func (e *Engine) exitCode(ctx context.Context, execID string) (int, error) {
	var code int
	err := retry.Until(ctx, settle, func(ctx context.Context) error {
		state, err := e.api.ContainerExecInspect(ctx, execID)
		if err != nil {
			return retry.Stop(translate(err))
		}
		if state.Running {
			return fmt.Errorf("%w: its output has ended and it goes on", engine.ErrConflict)
		}
		code = state.ExitCode
		return nil
	})
	return code, err
}
