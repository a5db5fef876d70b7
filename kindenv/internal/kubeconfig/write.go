package kubeconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
// made for their owner only. Two Writes of one file at the same time are for the
// caller to exclude.
func Write(path string, raw []byte) error {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("make the folder of kubeconfig %q: %w", path, err)
	}
	Sweep(path)
	if err := swap(path, raw); err != nil {
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

// resolve follows the symbolic links of path, also to a file that does not exist yet.
func resolve(path string) (string, error) {
	target := path
	for range maxLinks {
		link, err := os.Readlink(target)
		if err != nil {
			return target, nil // not a link, or nothing there yet: the write will tell
		}
		if !filepath.IsAbs(link) {
			// ".." is meant from where the link is, to which folders that are links may lead
			dir, err := filepath.EvalSymlinks(filepath.Dir(target))
			if err != nil {
				return "", err
			}
			link = filepath.Join(dir, link)
		}
		target = link
	}
	return "", fmt.Errorf("%q: too many levels of symbolic links", path)
}

// swap writes a temporary file beside path and renames it over path.
func swap(path string, content []byte) error {
	temp, err := writeTemp(path, content, nil)
	if err != nil {
		return err
	}
	return errors.Join(rename(temp, path), discard(temp))
}

// writeTemp writes a temporary file beside path, for its owner only, or with the
// mode and, where possible, the owner of like.
func writeTemp(path string, content []byte, like fs.FileInfo) (temp *os.File, err error) {
	temp, err = newTemp(path)
	if err != nil {
		return nil, err
	}
	mode := privateFile
	if like != nil {
		mode = like.Mode().Perm()
	}
	_, err = temp.Write(content)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if like != nil {
		keepOwner(temp, like)
	}
	if err == nil {
		err = temp.Sync() // so that a power cut leaves the old content or the new
	}
	if err != nil {
		return nil, errors.Join(err, discard(temp))
	}
	return temp, nil
}

// rename moves a temporary file to path.
func rename(temp *os.File, path string) error {
	if runtime.GOOS == "windows" { // where an open file can't be renamed
		if err := temp.Close(); err != nil {
			return err
		}
	}
	return os.Rename(temp.Name(), path)
}
