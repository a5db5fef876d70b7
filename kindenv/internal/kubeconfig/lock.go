package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

const (
	// lockBudget is how long to wait for another writer.
	lockBudget = 15 * time.Second
	// staleAfter is the age at which a lock is taken for left behind: writers
	// hold it for milliseconds.
	staleAfter = time.Minute
	// publicFolder is the mode of ~/.kube when it has to be made, as kubectl and kind do.
	publicFolder fs.FileMode = 0o755
)

// locked calls do while it holds the locks that kubectl and kind take too: the
// file <path>.lock, created exclusively. Where path is a symbolic link, the
// target's lock is taken as well, for those who know the file by that name.
func locked(ctx context.Context, path string, do func() error) (err error) {
	target, err := resolve(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), publicFolder); err != nil {
		return err
	}
	names := []string{path + ".lock", target + ".lock"}
	slices.Sort(names) // everyone in the same order, so that nobody waits for each other
	for _, name := range slices.Compact(names) {
		if err := take(ctx, name); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(name)) }()
	}
	return do()
}

// take creates the lock file name, waiting while another writer has it.
func take(ctx context.Context, name string) error {
	return retry.Until(ctx, lockBudget, func(context.Context) error {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, privateFile)
		switch {
		case err == nil:
			return f.Close()
		case !errors.Is(err, fs.ErrExist):
			return retry.Stop(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			return err // just gone: try again
		}
		age := time.Since(info.ModTime())
		held := fmt.Errorf("locked by %q, made %s ago; if no kubectl, kind or mage is writing it now, delete that file and try again",
			name, age.Round(time.Second))
		if age > staleAfter {
			return retry.Stop(held)
		}
		return held
	})
}
