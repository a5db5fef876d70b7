package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/magekind/magekind/magefiles/check"
)

// fuzzTarget is a fuzz test.
type fuzzTarget struct {
	dir  string // of its package
	name string
}

// fuzz runs every fuzz target there is, one after the other.
func (o Options) fuzz(ctx context.Context, out io.Writer) error {
	targets, err := fuzzTargets(o.Root)
	if err != nil {
		return err
	}
	var errs []error
	for _, target := range targets {
		if ctx.Err() != nil {
			return errors.Join(append(errs, ctx.Err())...)
		}
		fmt.Fprintf(out, "%s in %s\n", target.name, target.dir)
		errs = append(errs, check.Command(ctx, out, target.dir, nil,
			"go", "test", "-run=^$", "-fuzz=^"+target.name+"$", "-fuzztime="+o.FuzzTime.String(), "."))
	}
	return errors.Join(errs...)
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// fuzzTargets finds the fuzz tests below root, sorted by folder and name.
func fuzzTargets(root string) ([]fuzzTarget, error) {
	var found []fuzzTarget
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && path != root):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range fuzzFunc.FindAllSubmatch(text, -1) {
			found = append(found, fuzzTarget{filepath.Dir(path), string(match[1])})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for fuzz tests below %q: %w", root, err)
	}
	slices.SortFunc(found, func(a, b fuzzTarget) int { return strings.Compare(a.dir+" "+a.name, b.dir+" "+b.name) })
	return found, nil
}
