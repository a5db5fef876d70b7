package lock

import "github.com/gofrs/flock"

// Command shortens a command line.
func Command(args []string) string { return command(args) }

// Explain explains an error about the lock at path.
func Explain(path string, err error) error { return explain(path, err) }

// Try takes the lock at path if that is possible at once, and says so.
func Try(path string) (*Lock, bool) {
	l := &Lock{file: flock.New(path), holder: holder{path: path + ".holder"}}
	if l.take() != nil {
		return nil, false
	}
	_ = l.holder.announce()
	return l, true
}
