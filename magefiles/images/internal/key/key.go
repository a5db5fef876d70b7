// Package key makes names out of content: the same inputs give the same key, and
// any other input another one.
package key

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// length is that of a key in hexadecimal digits: enough for the few images of
// one machine, short enough to be a tag.
const length = 16

// Key collects the inputs of one thing that is built.
type Key struct {
	sum hash.Hash
}

// New returns a Key of the given texts. What they mean is told apart by their
// order alone.
func New(texts ...string) *Key {
	k := &Key{sum: sha256.New()}
	for _, text := range texts {
		k.Text(text)
	}
	return k
}

// Text adds a text.
func (k *Key) Text(text string) {
	// The length keeps ("ab", "c") apart from ("a", "bc").
	fmt.Fprintf(k.sum, "%d:%s", len(text), text)
}

// Tree adds the files below root that are inputs of a build: their paths below
// root, their content and whether they can be executed. Hidden files, testdata,
// Go tests, documentation and the folders named in skip are no inputs.
func (k *Key) Tree(root string, skip ...string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != root && (ignored(name) || contains(skip, relative)) {
				return filepath.SkipDir
			}
			return nil
		}
		if ignored(name) || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md") {
			return nil
		}
		return k.file(path, filepath.ToSlash(relative))
	})
}

// File adds one file under its base name.
func (k *Key) File(path string) error { return k.file(path, filepath.Base(path)) }

func (k *Key) file(path, name string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	k.Text(name)
	k.Text(fmt.Sprint(info.Mode()&0o100 != 0))
	k.Text(string(content))
	return nil
}

// String returns the key of what has been added so far.
func (k *Key) String() string {
	return hex.EncodeToString(k.sum.Sum(nil))[:length]
}

func ignored(name string) bool {
	return strings.HasPrefix(name, ".") || name == "testdata"
}

func contains(folders []string, relative string) bool {
	for _, folder := range folders {
		if filepath.ToSlash(relative) == folder {
			return true
		}
	}
	return false
}
