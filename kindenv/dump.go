package kindenv

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/dump"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// dumpBudget bounds the collecting for a dump, also where the engine does not answer.
const dumpBudget = 20 * time.Second

// Dump keeps what helps to understand the environment's state, as a failed Up
// does, and returns the folder: the nodes' and containers' logs and state, and what
// Kubernetes says of its objects, without Secrets. It takes 20 seconds at
// most, in which it reads what it can: what it can't is said in the files.
func (e *Environment) Dump(ctx context.Context) (folder string, err error) {
	s, err := e.open(ctx, nil)
	if err != nil {
		return "", redact.Error(err)
	}
	defer func() { err = redact.Error(errors.Join(err, s.close(nil))) }()
	files := s.collect(ctx)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return e.keepDump(files)
}

// DumpFolder returns the folder of the environment's dump, which is there once
// there was a reason for one.
func (e *Environment) DumpFolder() string {
	return filepath.Join(or(e.cfg.DumpDir, filepath.Join(e.deps.cacheDir(), "dumps")), e.name)
}

func (e *Environment) keepDump(files []dump.File) (string, error) {
	folder := e.DumpFolder()
	if err := dump.Write(folder, files); err != nil {
		return "", fmt.Errorf("write the dump of environment %q: %w", e.name, err)
	}
	return folder, nil
}

// dumps says whether a failed Up keeps a dump.
func (e *Environment) dumps() bool {
	return e.brief || e.cfg.DumpDir != "" || progress.InCI(e.deps.env)
}

// onFailedCreation reads, where there is to be a dump, what is gone as soon as
// kind has cleaned up.
func (s *session) onFailedCreation() func(context.Context, error) {
	if !s.dumps() {
		return nil
	}
	return func(ctx context.Context, _ error) { s.evidence = s.collect(ctx) }
}
