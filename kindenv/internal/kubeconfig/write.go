package kubeconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
	// maxLinks bounds a chain of symbolic links, as Linux does.
	maxLinks = 40
	// maxRemovals is how often others may remove a folder while one is made in it.
	maxRemovals = 20
)

// Write writes raw to path as a file that only its owner can read, in one step:
// a reader finds the old content or the new, never a part. Missing folders are
// made for their owner only.
func Write(path string, raw []byte) error {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("make the folder of kubeconfig %q: %w", path, err)
	}
	if err := swap(path, raw, privateFile, nil); err != nil {
		return fmt.Errorf("write kubeconfig %q: %w", path, err)
	}
	return nil
}

// makeFolder makes a folder and those above it, of which another process may
// just be removing one that was empty.
func makeFolder(path string) error {
	err := os.MkdirAll(path, privateFolder)
	for range maxRemovals {
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = os.MkdirAll(path, privateFolder)
	}
	return err
}

// replace writes content to an existing or new kubeconfig of the user in one
// step. A symbolic link stays and its target is written; the mode and, where
// possible, the owner stay.
func replace(path string, content []byte) error {
	target, err := resolve(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return swap(target, content, privateFile, nil)
	}
	if err != nil {
		return err
	}
	if err := writable(target, info); err != nil {
		return err
	}
	return swap(target, content, info.Mode().Perm(), info)
}

// writable returns an error for a file that is not meant to be written: renaming
// over it would succeed all the same.
func writable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%q is read-only (mode %s)", path, info.Mode())
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// resolve follows the symbolic links of path, also to a file that does not exist yet.
func resolve(path string) (string, error) {
	target := path
	for range maxLinks {
		link, err := os.Readlink(target)
		if err != nil {
			return target, nil // not a link, or nothing there yet: the write will tell
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(target), link)
		}
		target = link
	}
	return "", fmt.Errorf("%q: too many levels of symbolic links", path)
}

// swap writes a temporary file beside path and renames it over path. The owner
// of like, if not nil, is kept where possible.
func swap(path string, content []byte, mode fs.FileMode, like fs.FileInfo) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temp.Close()
			_ = os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(content); err != nil {
		return err
	}
	if err = temp.Chmod(mode); err != nil {
		return err
	}
	if like != nil {
		keepOwner(temp, like)
	}
	if err = temp.Sync(); err != nil { // so that a power cut leaves the old content or the new
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
