package kubeconfig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxOvertakes bounds how often a change is made anew because somebody who
// ignores the lock has written meanwhile.
const maxOvertakes = 20

// errOvertaken is the end of that.
var errOvertaken = errors.New("another program, which ignores the lock, writes it again and again")

// update changes the file at path under its lock. It writes nothing when
// change reports false or fails, or makes no difference, and also when anything
// else than the entries called name would change. change may be called several
// times, each time with a file that was read anew.
func update(ctx context.Context, path, name string, change func(*file) (bool, error)) error {
	tidy(ctx, path)
	return locked(ctx, path, func() error {
		target, err := resolve(path)
		if err != nil {
			return err
		}
		for range maxOvertakes {
			if done, err := rewrite(target, name, change); done || err != nil {
				return err
			}
		}
		return errOvertaken
	})
}

// rewrite changes a file once, and reports whether it is done: not when somebody
// has written meanwhile.
func rewrite(target, name string, change func(*file) (bool, error)) (bool, error) {
	old, err := look(target)
	if err != nil {
		return false, err
	}
	f, err := parse(old.content)
	if err != nil {
		return false, err
	}
	changed, err := change(f)
	if err != nil || !changed {
		return true, err
	}
	content, err := f.encode()
	if err != nil || bytes.Equal(content, old.content) {
		return true, err
	}
	if err := verify(old.content, content, name); err != nil {
		return false, err
	}
	return replace(target, content, old)
}

// state is what a file was when it was read.
type state struct {
	content []byte
	info    fs.FileInfo // nil: it did not exist
}

func look(target string) (state, error) {
	content, err := readFile(target)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return state{}, err
	}
	return state{content, info}, writable(target, info)
}

// writable returns an error for a file that is not meant to be written: renaming
// over it would succeed all the same.
func writable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("it is read-only (mode %s)", info.Mode())
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// replace gives target its new content in one step, with the old mode and owner,
// unless it is no longer what it was.
func replace(target string, content []byte, old state) (done bool, err error) {
	temp, err := writeTemp(target, content, old.info)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, discard(temp)) }()
	if now, err := look(target); err != nil || !bytes.Equal(now.content, old.content) {
		return false, err
	}
	return put(temp, target, old)
}

// put moves a temporary file to where the old one is. It undoes that when it
// finds that somebody has written in between.
func put(temp *os.File, target string, old state) (done bool, err error) {
	if old.info == nil {
		err := os.Link(temp.Name(), target)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err == nil, nil
		}
	} else if exchange(temp.Name(), target) == nil {
		displaced, err := os.ReadFile(temp.Name())
		if err == nil && !bytes.Equal(displaced, old.content) {
			return false, exchange(temp.Name(), target)
		}
		return true, err
	}
	return true, rename(temp, target) // neither links nor exchanges here
}
