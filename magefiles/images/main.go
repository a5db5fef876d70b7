// Command images builds the container images that this project's own commands
// use where no registry can be reached, out of Go modules and Debian packages:
// a node image for kind, a stand-in of the cloud provider, and the example's
// image. It loads them into the engine that the docker command reaches, and
// writes their names to standard output as one JSON object.
//
// Images are known by the content that they were made from: as long as that is
// the same, they are found again and nothing is built.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/magekind/magekind/magefiles/images/internal/build"
	"github.com/magekind/magekind/magefiles/images/internal/engine"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && ctx.Err() != nil {
		// What the commands say that were interrupted with it is of no interest.
		err = errors.New("interrupted: the next run goes on with what has been finished")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "images:", err)
		os.Exit(1)
	}
}

// run does what the arguments ask for.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("images", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "the images to build, separated by commas, of "+strings.Join(build.Roles(), ", ")+" (default all)")
	force := flags.Bool("force", false, "build the images even if the engine has them already")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: name the images with -only", flags.Arg(0))
	}
	roles, err := chosen(*only)
	if err != nil {
		return err
	}
	names, err := build.Images(ctx, build.Options{
		Source: ".", Roles: roles, Force: *force, Engine: engine.Docker{}, Log: progress.New(stderr),
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(names)
}

// chosen returns the images that a list names, or all of them.
func chosen(list string) ([]string, error) {
	if list == "" {
		return build.Roles(), nil
	}
	roles := strings.Split(list, ",")
	for _, role := range roles {
		if !slices.Contains(build.Roles(), role) {
			return nil, fmt.Errorf("-only: unknown image %q: choose of %s", role, strings.Join(build.Roles(), ", "))
		}
	}
	return roles, nil
}
