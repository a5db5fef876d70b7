package kubeconfig

import (
	"context"
	"os"
)

// Hold takes the lock of a file, as it is taken for writing.
func Hold(ctx context.Context, path string) (release func() error, err error) {
	lock, err := take(ctx, path+".lock")
	if err != nil {
		return nil, err
	}
	return lock.release, nil
}

// Overwrite puts content in the place of a file that is taken to have had the
// content old when it was read.
func Overwrite(path, content, old string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	temp, err := writeTemp(path, []byte(content), info)
	if err != nil {
		return false, err
	}
	defer discard(temp)
	return put(temp, path, state{[]byte(old), info})
}

// SetCurrent sets the current context, and calls meanwhile after the file was read.
func SetCurrent(path, name string, meanwhile func()) error {
	return update(context.Background(), path, name, func(f *file) (bool, error) {
		meanwhile()
		return f.setCurrentContext(name), nil
	})
}
