// Package cache keeps results in a folder under keys made of what they were made
// from. A result is there completely or not at all, so that an interrupted
// program finds what it had finished.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// kept is the number of results of one kind that Keep leaves: the current one
// and another, for those who go back and forth between two versions.
const kept = 2

// Cache is a folder of results. Only the process that has locked the part of the
// cache that a kind of results belongs to makes any of them.
type Cache struct {
	dir string
}

// Open returns the cache in the folder dir, which is made when it is absent.
func Open(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("open the cache of images: %w", err)
	}
	return &Cache{dir: dir}, nil
}

// Path returns the path of the result of a kind with the given key.
func (c *Cache) Path(kind, key string) string { return filepath.Join(c.dir, kind+"-"+key) }

// Has reports whether the result is there.
func (c *Cache) Has(kind, key string) bool {
	_, err := os.Stat(c.Path(kind, key))
	return err == nil
}

// Make returns the path of the result of a kind with the given key. When it is
// not there, make has to leave it, a file or a folder, at the path that it is
// given; what make leaves when it fails is removed.
func (c *Cache) Make(kind, key string, make func(path string) error) (string, error) {
	path := c.Path(kind, key)
	if c.Has(kind, key) {
		now := time.Now()
		return path, os.Chtimes(path, now, now) // for Keep
	}
	unfinished := filepath.Join(c.dir, unfinished+kind)
	// An interrupted process may have left something.
	if err := os.RemoveAll(unfinished); err != nil {
		return "", err
	}
	if err := make(unfinished); err != nil {
		return "", errors.Join(err, os.RemoveAll(unfinished))
	}
	if err := os.Rename(unfinished, path); err != nil {
		return "", err
	}
	return path, c.keep(kind)
}

// unfinished begins the names of what is being made.
const unfinished = "unfinished-"

// Scratch makes an empty folder of the given name beside the results, for the
// caller to remove. What an interrupted process has left there goes.
func (c *Cache) Scratch(name string) (string, error) {
	dir := filepath.Join(c.dir, unfinished+name)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.Mkdir(dir, 0o755)
}

// keep removes the results of a kind that have not been used for longest.
func (c *Cache) keep(kind string) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), kind+"-") })
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return modified(b).Compare(modified(a)) })
	for i := kept; i < len(entries); i++ {
		if err := os.RemoveAll(filepath.Join(c.dir, entries[i].Name())); err != nil {
			return fmt.Errorf("remove an old result: %w", err)
		}
	}
	return nil
}

func modified(entry fs.DirEntry) time.Time {
	info, err := entry.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
