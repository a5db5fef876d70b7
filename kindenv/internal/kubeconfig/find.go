package kubeconfig

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// settleBudget is how long a look at a file waits for its writers.
const settleBudget = 2 * time.Second

// Entry is a cluster that the user's kubeconfig knows.
type Entry struct {
	File   string // that has its server
	Server string // empty when it names none
	Raw    []byte // the whole of File
	// Context says that there is a context of the entry's name, too.
	Context bool
}

// Find looks in the files of paths, as kubectl does, for the context and the
// cluster named name. Of several the first counts. A file that can't be read
// is left out.
func Find(ctx context.Context, paths []string, name string) (entry Entry, found bool) {
	for _, path := range paths {
		raw, err := settled(ctx, path)
		if err != nil {
			continue
		}
		f, err := parse(raw)
		if err != nil {
			continue
		}
		if f.index("contexts", name) >= 0 {
			entry.Context, found = true, true
		}
		if entry.File == "" && f.index("clusters", name) >= 0 {
			entry.File, entry.Server, entry.Raw, found = path, f.server(name), raw, true
		}
	}
	return entry, found
}

// Named returns how to reach the cluster named name, by the user of that name:
// the way kind writes it, whatever the current context is.
func (e Entry) Named(name string) (Access, error) {
	var doc document
	if err := yaml.Unmarshal(e.Raw, &doc); err != nil {
		return Access{}, err
	}
	doc.CurrentContext = name
	return doc.access()
}

// server returns the server of the cluster named name; empty when there is none.
func (f *file) server(name string) string {
	i := f.index("clusters", name)
	if i < 0 {
		return ""
	}
	cluster := lookup(f.field("clusters").Content[i], "cluster")
	if cluster == nil {
		return ""
	}
	server := lookup(cluster, "server")
	if server == nil {
		return ""
	}
	return text(server)
}

// settled reads the file at path as observe does, and takes what it gets as it is.
func settled(ctx context.Context, path string) ([]byte, error) {
	content, err := observe(ctx, path)
	if errors.Is(err, errMoving) {
		err = nil
	}
	return content, err
}

// observe reads the file at path at a moment when nobody writes it, as far as
// that can be told: kubectl and kind write in place, so that a look in between
// finds half of it. After a while it returns what is there all the same; when
// that went on to change, with [errMoving].
func observe(ctx context.Context, path string) (content []byte, err error) {
	names, err := lockNames(path)
	if err != nil {
		return nil, err
	}
	tries, moves := 0, 0
	waited := retry.Until(ctx, settleBudget, func(context.Context) error {
		before, last := inUse(names), content
		if content, err = readFile(path); tries > 0 && !bytes.Equal(last, content) {
			moves++
		}
		tries++
		if before || inUse(names) {
			return errAlive
		}
		if again, err2 := readFile(path); err == nil && (err2 != nil || !bytes.Equal(content, again)) {
			return errAlive
		}
		return nil
	})
	if content == nil && err == nil { // ctx is done
		return readFile(path)
	}
	if err == nil && waited != nil && ctx.Err() == nil && moves > 0 {
		return content, errMoving
	}
	return content, err
}

// errMoving: others write the file all the time.
var errMoving = errors.New("others write it again and again")

// inUse says whether a lock is there that is not left behind.
func inUse(names []string) bool {
	for _, name := range names {
		_, _ = inspect(name) // removes it if it is
		info, err := os.Lstat(name)
		if err == nil && time.Since(info.ModTime()) < staleAfter {
			return true
		}
	}
	return false
}

// mentions says whether text has name in it, not as a part of a longer name.
func mentions(text []byte, name string) bool {
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !inName(text[at-1])) && (end == len(text) || !inName(text[end])) {
			return true
		}
	}
}

func inName(c byte) bool {
	return c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}
