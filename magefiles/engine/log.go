package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// newLog opens an empty log and keeps the last one beside it.
func (l layout) newLog() (*os.File, error) {
	if err := os.Rename(l.log(), l.lastLog()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keeping the engine's last log: %w", err)
	}
	log, err := os.Create(l.log())
	if err != nil {
		return nil, fmt.Errorf("opening the engine's log: %w", err)
	}
	return log, nil
}

// lastLines returns the end of a text file, or why it can't be read.
func lastLines(file string, n int) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return tail(string(text), n)
}

// tail returns the last n lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
