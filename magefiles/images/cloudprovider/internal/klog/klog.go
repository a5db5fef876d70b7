// Package klog writes log lines in the format of Kubernetes' components, which
// is what readers of the cloud provider's log look for.
package klog

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
)

// Logger writes whole lines; safe for use by several goroutines.
type Logger struct {
	mu  sync.Mutex
	out io.Writer
	now func() time.Time
}

// New returns a logger that writes to out, with the time of now.
func New(out io.Writer, now func() time.Time) *Logger { return &Logger{out: out, now: now} }

// Infof logs a formatted message.
func (l *Logger) Infof(format string, args ...any) { l.write('I', fmt.Sprintf(format, args...)) }

// Errorf logs a formatted message as an error.
func (l *Logger) Errorf(format string, args ...any) { l.write('E', fmt.Sprintf(format, args...)) }

// Info logs a structured message: the quoted message, then keys and quoted values.
func (l *Logger) Info(message string, pairs ...any) { l.write('I', structured(message, pairs)) }

// Error logs a structured message about err.
func (l *Logger) Error(err error, message string, pairs ...any) {
	l.write('E', structured(message, append([]any{"err", err}, pairs...)))
}

func structured(message string, pairs []any) string {
	var b bytes.Buffer
	b.WriteString(strconv.Quote(message))
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, " %v=%q", pairs[i], fmt.Sprint(pairs[i+1]))
	}
	return b.String()
}

func (l *Logger) write(severity byte, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// The real header has the place in the source; a stand-in has none to point to.
	fmt.Fprintf(l.out, "%c%s %7d standin] %s\n", severity, l.now().Format("0102 15:04:05.000000"), 1, message)
}
