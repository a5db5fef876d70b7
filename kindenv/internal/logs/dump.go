package logs

import (
	"context"
	"io"
	"time"
)

// Dump writes what each source has to say, one source after the other, and
// returns. The sources' Stream functions must not follow. A source that can't be
// read is told among the lines; the error is that of out or of ctx.
func Dump(ctx context.Context, sources []Source, out io.Writer, opts Options) error {
	p := &printer{out: out, colour: opts.Colour, broken: func() {}}
	for _, s := range sources {
		p.reserve(s.Name)
	}
	for _, s := range sources {
		w := &lines{name: s.Name, printer: p, stopped: ctx.Err}
		err := s.Stream(ctx, time.Time{}, w)
		w.finish()
		if failed := p.failure(); failed != nil {
			return failed
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			p.line(s.Name, "("+self+" can't read this: "+err.Error()+")")
		}
	}
	return p.failure()
}
