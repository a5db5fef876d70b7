package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// tags are the build tags under which some of the repository's files hide.
const tags = "mage,integration,e2e"

// tools is the module that pins what Lint runs.
const tools = "magefiles/tools/go.mod"

// heavy is the number of linked packages above which a program is not
// analysed: those are the Kubernetes and CoreDNS binaries of the node image,
// whose own code is a few lines and whose compilation is the image's build.
const heavy = 500

// Lint returns the phases that need neither an engine nor a cluster and look
// at the sources only: formatting, vet, staticcheck, and tidiness of every
// module below root.
func Lint(root string) []Phase {
	return []Phase{
		{Name: "format", Run: func(ctx context.Context, out io.Writer) error { return format(ctx, out, root) }},
		{Name: "vet", Run: func(ctx context.Context, out io.Writer) error {
			return perModule(root, func(dir string) error {
				packages, err := light(ctx, out, dir)
				if err != nil || len(packages) == 0 {
					return err
				}
				return Command(ctx, out, dir, nil, "go", append([]string{"vet", "-tags=" + tags}, packages...)...)
			})
		}},
		{Name: "staticcheck", Run: func(ctx context.Context, out io.Writer) error { return staticcheck(ctx, out, root) }},
		{Name: "tidy", Run: func(ctx context.Context, out io.Writer) error {
			return perModule(root, func(dir string) error {
				return Command(ctx, out, dir, nil, "go", "mod", "tidy", "-diff")
			})
		}},
	}
}

func format(ctx context.Context, out io.Writer, root string) error {
	gofumpt, err := tool(ctx, out, root, "gofumpt")
	if err != nil {
		return err
	}
	files, err := output(ctx, out, root, gofumpt, "-l", ".")
	if err != nil {
		return err
	}
	if files != "" {
		fmt.Fprintln(out, files)
		return fmt.Errorf("%d files are not formatted: run `go tool -modfile=%s gofumpt -w .`",
			strings.Count(files, "\n")+1, tools)
	}
	return nil
}

func staticcheck(ctx context.Context, out io.Writer, root string) error {
	program, err := tool(ctx, out, root, "staticcheck")
	if err != nil {
		return err
	}
	return perModule(root, func(dir string) error {
		packages, err := light(ctx, io.Discard, dir)
		if err != nil || len(packages) == 0 {
			return err
		}
		return Command(ctx, out, dir, nil, program, append([]string{"-tags=" + tags}, packages...)...)
	})
}

// tool builds one of the pinned tools, or finds it in the build cache, and
// returns its path.
func tool(ctx context.Context, out io.Writer, root, name string) (string, error) {
	return output(ctx, out, root, "go", "tool", "-n", "-modfile="+tools, name)
}

// light lists the packages of the module in dir that are worth analysing, and
// names the others on out.
func light(ctx context.Context, out io.Writer, dir string) ([]string, error) {
	list, err := output(ctx, out, dir, "go", "list", "-tags="+tags, "-f", "{{.ImportPath}} {{len .Deps}}", "./...")
	if err != nil {
		return nil, err
	}
	var packages []string
	for line := range strings.Lines(list) {
		path, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(count); err != nil || n > heavy {
			fmt.Fprintf(out, "left to the image's build, as it links %s packages: %s\n", count, path)
			continue
		}
		packages = append(packages, path)
	}
	return packages, nil
}

// perModule runs fn in every module and joins the errors.
func perModule(root string, fn func(dir string) error) error {
	modules, err := Modules(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, module := range modules {
		errs = append(errs, fn(filepath.Join(root, filepath.FromSlash(module))))
	}
	return errors.Join(errs...)
}
