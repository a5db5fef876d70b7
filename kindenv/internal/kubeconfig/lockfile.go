package kubeconfig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockFile is a lock that this process holds: a file that kubectl, kind and
// others take for held as long as it exists. Theirs are empty, and stay when
// they are killed. Ours has a note in it, and is locked with flock(2), which
// ends with the process: whoever finds the note and gets the flock knows that
// the file was left behind. That needs no process IDs, which are used again and
// mean nothing in another container.
type lockFile struct {
	name string
	file *os.File // has the flock; nil where there is none
}

// noteMark begins the note.
const noteMark = "magekind: "

func note() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return fmt.Sprintf("%sprocess %d on %s is writing the kubeconfig, since %s\n", noteMark, os.Getpid(), host, time.Now().Format(time.DateTime))
}

// create makes the lock file, complete with note and flock from the first
// moment that it can be seen; [fs.ErrExist] when there is one.
func create(name string) (*lockFile, error) {
	temp, err := newTemp(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // linked or not
	_, err = temp.WriteString(note())
	if err == nil {
		err = temp.Sync()
	}
	if err == nil {
		err = os.Link(temp.Name(), name)
	}
	if err == nil {
		return &lockFile{name, temp}, nil
	}
	_ = temp.Close()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return createPlain(name) // the file system knows no links
	}
	return nil, err
}

// createPlain makes a lock as kubectl does.
func createPlain(name string) (*lockFile, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, privateFile)
	if err != nil {
		return nil, err
	}
	return &lockFile{name: name}, file.Close()
}

func (l *lockFile) release() error {
	err := os.Remove(l.name) // while it is locked, so that it is nobody else's
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// errAlive: the process that made the file still uses it.
var errAlive = errors.New("locked by another process")

// inspect returns the note of a lock file, empty if it has none that can be read.
// A noted lock whose maker is dead is removed; the error is [errAlive] when it
// is not dead, or why that failed.
func inspect(name string) (text string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return "", nil //nolint:nilerr // it is gone, or made by kubectl, with mode 0
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, 1<<10))
	if err != nil || !strings.HasPrefix(string(raw), noteMark) {
		return "", nil //nolint:nilerr // a folder, say
	}
	return strings.TrimSpace(string(raw)), removeDead(file, name)
}

// removeDead removes the file that was opened by this name, if nobody has its
// flock; else the error is [errAlive].
func removeDead(file *os.File, name string) error {
	locked, err := tryLock(file)
	if err != nil || !locked {
		return errors.Join(err, errAlive)
	}
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	// somebody may have removed it meanwhile, and somebody else have made another
	if there, err := os.Lstat(name); err != nil || !os.SameFile(opened, there) {
		return nil //nolint:nilerr // it is gone, which is all that was wanted
	}
	return os.Remove(name)
}

// tidy removes what a magekind left that was killed while it wrote the file at
// path: temporary files, and its lock, which would keep everyone else out.
func tidy(ctx context.Context, path string) {
	names, err := lockNames(path)
	if err != nil {
		return
	}
	for _, name := range names {
		_, _ = inspect(name)
		Sweep(name)
	}
	target, err := resolve(path)
	if err != nil || len(temps(target)) == 0 {
		return
	}
	_ = locked(ctx, path, func() error { // so that nobody is at work with them
		Sweep(target)
		return nil
	})
}

// Sweep removes the temporary files that a killed process left beside path.
func Sweep(path string) {
	for _, name := range temps(path) {
		if file, err := os.Open(name); err == nil {
			_ = removeDead(file, name)
			_ = file.Close()
		}
	}
}

// temps are the temporary files for path that are there.
func temps(path string) (names []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix(path)) && entry.Type().IsRegular() {
			names = append(names, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	return names
}
