package check

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// Vulnerabilities looks in every module for code that calls something with a
// known vulnerability, tests and tagged files included, by the database that
// args name (-db=…) or else Go's, for which the network is needed. A module
// without packages of its own, which pins versions for other builds, has none to look at.
func Vulnerabilities(root string, args ...string) Phase {
	return Phase{Name: "vulnerabilities", Run: func(ctx context.Context, out io.Writer) error {
		program, err := tool(ctx, out, root, "govulncheck")
		if err != nil {
			return err
		}
		return perModule(root, func(dir string) error {
			packages, err := output(ctx, io.Discard, dir, "go", "list", "-tags="+tags, "./...")
			if err != nil {
				return err
			}
			if packages == "" {
				fmt.Fprintf(out, "%s has no packages\n", dir)
				return nil
			}
			fmt.Fprintf(out, "in %s:\n", dir)
			return Command(ctx, out, dir, nil, program, slices.Concat(args, []string{"-tags=" + tags, "-test", "./..."})...)
		})
	}}
}
