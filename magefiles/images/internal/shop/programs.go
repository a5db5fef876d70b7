package shop

import (
	"context"

	"github.com/magekind/magekind/magefiles/images/internal/gobuild"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// Build builds programs of the module in the folder dir as a step called name.
func (s *Shop) Build(ctx context.Context, name, dir string, program gobuild.Program) error {
	if err := s.StandardLibrary(ctx); err != nil {
		return err
	}
	return s.compile(ctx, name, dir, program)
}

func (s *Shop) compile(ctx context.Context, name, dir string, program gobuild.Program) error {
	return s.Step("compile "+name, func(step *progress.Step) error {
		return s.Module(dir).Build(ctx, program, func(n int) {
			if program.Total > 0 {
				step.Status("%d of %d packages", n, program.Total)
			} else {
				step.Status("%d packages", n)
			}
		})
	})
}

// StandardLibrary compiles the greater part of the standard library, once: go
// builds that run at the same time would each compile it, while a single one has
// the time in which the others' modules are downloaded.
func (s *Shop) StandardLibrary(ctx context.Context) error {
	s.warming.Do(func() {
		s.warmed = s.compile(ctx, "the standard library", ".", gobuild.Program{
			Packages: []string{"archive/tar", "log/slog", "net/http/httptest", "os/exec", "text/template"},
		})
	})
	return s.warmed
}
