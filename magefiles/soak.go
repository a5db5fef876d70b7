//go:build mage

package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/magekind/magekind/magefiles/check"
	"github.com/magekind/magekind/magefiles/local"
	"github.com/magekind/magekind/magefiles/soak"
)

// Soak runs the long versions of what test takes a sample of: kills, rounds, faults, fuzzing.
//
// It takes some hours on two cores. -rounds=N is how many steps each of three
// projects side by side takes (default 8), -fuzz=D how long each fuzz target
// runs (default 1m), -only=TEXT leaves out the phases whose name lacks the text,
// and -seed=N repeats what an earlier run left to chance. It ends with a table
// of what was done and found, which is also written to out/soak.json.
func Soak(ctx context.Context, rounds, seed *int, fuzz *time.Duration, only *string) error {
	ctx, stop := stopped(ctx)
	defer stop()
	return with(func(p local.Preparer) error {
		var images local.Images
		o := soak.Options{
			Root: p.Root, Env: func() []string { return imageEnv(images) }, Needs: ready,
			Rounds: given(rounds, 8), Seed: given(seed, int(time.Now().Unix()%1_000_000)),
			FuzzTime: given(fuzz, time.Minute), Only: given(only, ""),
		}
		phases, err := soak.Phases(o)
		if err != nil {
			return err
		}
		phases = append([]check.Phase{prepared(p, &images)}, phases...)
		return soak.Run(ctx, os.Stdout, filepath.Join(p.Root, "out", "soak.json"), o.Seed, phases...)
	})
}

// given is what an optional argument says.
func given[T any](argument *T, otherwise T) T {
	if argument == nil {
		return otherwise
	}
	return *argument
}
