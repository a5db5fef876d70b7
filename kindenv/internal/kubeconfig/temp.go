package kubeconfig

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tempPrefix begins the names of the temporary files for path.
func tempPrefix(path string) string { return "." + filepath.Base(path) + ".magekind-" }

// newTemp makes a temporary file beside path, which this process has the flock
// of as long as it is open, so that others can tell it from one left behind.
func newTemp(path string) (*os.File, error) {
	for {
		temp, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
		if err != nil {
			return nil, err
		}
		locked, err := tryLock(temp)
		if err != nil { // there is no flock here: nobody will sweep it
			return temp, nil //nolint:nilerr // see above
		}
		made, err := temp.Stat()
		if err != nil {
			return nil, errors.Join(err, discard(temp))
		}
		if there, err := os.Lstat(temp.Name()); locked && err == nil && os.SameFile(made, there) {
			return temp, nil
		}
		if err := discard(temp); err != nil { // somebody swept it before it was locked
			return nil, err
		}
	}
}

// discard closes and removes a temporary file.
func discard(temp *os.File) error {
	_ = temp.Close()
	if err := os.Remove(temp.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
