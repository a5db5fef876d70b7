package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
)

// File is a layer on disk.
type File struct {
	Path   string // of the tar file
	Digest string // "sha256:…" of the tar file: its diff id
	Size   int64  // in bytes
}

// Save writes the tree to the file path.
func (t *Tree) Save(path string) (File, error) {
	file, err := os.Create(path)
	if err != nil {
		return File{}, err
	}
	sum := NewDigester(file)
	err = t.Write(sum)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return File{}, err
	}
	return File{Path: path, Digest: sum.Digest(), Size: sum.Size()}, nil
}

// Read returns the layer that is in the file path already.
func Read(path string) (File, error) {
	file, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	sum := NewDigester(io.Discard)
	if _, err := io.Copy(sum, file); err != nil {
		return File{}, fmt.Errorf("read the layer %q: %w", path, err)
	}
	return File{Path: path, Digest: sum.Digest(), Size: sum.Size()}, nil
}

// Digester counts and hashes what passes through it to another writer.
type Digester struct {
	out  io.Writer
	sum  hash.Hash
	size int64
}

var _ io.Writer = (*Digester)(nil)

// NewDigester returns a Digester that writes to out.
func NewDigester(out io.Writer) *Digester { return &Digester{out: out, sum: sha256.New()} }

// Write implements io.Writer.
func (d *Digester) Write(p []byte) (int, error) {
	n, err := d.out.Write(p)
	d.sum.Write(p[:n])
	d.size += int64(n)
	return n, err
}

// Digest returns "sha256:…" of what has been written.
func (d *Digester) Digest() string { return "sha256:" + hex.EncodeToString(d.sum.Sum(nil)) }

// Size returns the number of bytes that have been written.
func (d *Digester) Size() int64 { return d.size }
