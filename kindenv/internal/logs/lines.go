package logs

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// maxLine is the length in bytes from which a line without an end is printed
// in pieces, so that a source that never ends its lines can't fill the memory.
const maxLine = 64 << 10

// lines is the writer that a source writes to. It hands whole lines to the printer.
type lines struct {
	name    string
	printer *printer
	stopped func() error // why the source is not to be read any longer; nil while it is

	mu      sync.Mutex // sources may write their stdout and stderr from two goroutines
	partial []byte
}

// Write fails once the printer did or the reading is over, which ends the source's Stream.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.stopped(); err != nil {
		return 0, err
	}
	l.partial = append(l.partial, p...)
	for {
		line, rest, found := bytes.Cut(l.partial, []byte("\n"))
		if !found {
			break
		}
		l.print(line)
		l.partial = rest
	}
	for len(l.partial) >= maxLine {
		cut := maxLine - 1
		for cut > maxLine-utf8.UTFMax && !utf8.RuneStart(l.partial[cut]) {
			cut--
		}
		l.print(l.partial[:cut])
		l.partial = l.partial[cut:]
	}
	if err := l.printer.failure(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// finish prints a last line that had no end.
func (l *lines) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.partial) > 0 {
		l.print(l.partial)
		l.partial = nil
	}
}

func (l *lines) print(line []byte) {
	l.printer.line(l.name, string(bytes.TrimSuffix(line, []byte("\r"))))
}
