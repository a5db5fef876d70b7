package bench

import (
	"context"
	"path/filepath"

	"github.com/magekind/magekind/magefiles/consumer"
)

// ours is this module's side: the targets, in a compiled magefile.
type ours struct {
	lab
	program string
}

var _ side = (*ours)(nil)

func newOurs(ctx context.Context, l lab) (*ours, error) {
	files, err := l.Files()
	if err != nil {
		return nil, err
	}
	if err := consumer.Write(l.dir, l.root, "example.test/ours", files); err != nil {
		return nil, err
	}
	o := &ours{lab: l, program: filepath.Join(l.dir, "targets")}
	_, err = l.compileTo(ctx, o.program)
	return o, err
}

func (o *ours) cold(ctx context.Context) (int64, error) {
	_, peak, err := measured(ctx, o.dir, o.env, "", o.program, "env:up")
	if err != nil {
		return peak, err
	}
	return peak, o.answers(ctx)
}

func (o *ours) noop(ctx context.Context) error {
	_, err := command(ctx, o.dir, o.env, "", o.program, "env:up")
	return err
}

func (o *ours) down(ctx context.Context) error {
	_, err := command(ctx, o.dir, o.env, "", o.program, "env:down")
	return err
}

func (o *ours) compile(ctx context.Context) error { return o.build(ctx) }
