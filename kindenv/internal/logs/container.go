package logs

import (
	"context"
	"io"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Container is the output of a container. opts.Tail says how much of its
// history comes first; opts.Since is ignored.
func Container(from engine.LogStreamer, c engine.Container, name string, opts engine.LogOptions) Source {
	return Source{
		Name: name, ID: c.ID, Started: c.StartedAt, Ended: c.State != engine.Running && c.State != engine.Paused,
		Stream: func(ctx context.Context, since time.Time, out io.Writer) error {
			opts := opts
			if opts.Since = since; !since.IsZero() {
				opts.Tail = 0
			}
			return from.Logs(ctx, c.ID, opts, out)
		},
	}
}
