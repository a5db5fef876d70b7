package progress

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"sigs.k8s.io/kind/pkg/log"
)

// The formats with which kind reports a step to a logger that is not its own
// (sigs.k8s.io/kind/pkg/internal/cli/status.go). Should kind change them, its
// lines appear as it writes them, only without spinner and timing.
const (
	kindStart   = " • %s  ...\n"
	kindSuccess = " ✓ %s\n"
	kindFailure = " ✗ %s\n"
)

// errKindStep stands for the reason of a failed step of kind, which kind
// returns from the call rather than logs.
var errKindStep = errors.New("kind reported a failure")

// Logger returns a logger for kind's library whose steps and messages appear
// on the console, and whose steps are timed like ours. Debug messages (V(1)
// and above) are dropped. Use one logger for each call of kind at a time.
func (c *Console) Logger() log.Logger {
	return &kindLogger{console: c}
}

type kindLogger struct {
	console *Console
	mu      sync.Mutex
	step    *Step // the step that kind is at, or nil
}

var (
	_ log.Logger     = (*kindLogger)(nil)
	_ log.InfoLogger = (*kindLogger)(nil)
)

func (l *kindLogger) Warn(message string)               { l.console.Warn(message) }
func (l *kindLogger) Warnf(format string, args ...any)  { l.console.Warn(fmt.Sprintf(format, args...)) }
func (l *kindLogger) Error(message string)              { l.console.Warn(message) }
func (l *kindLogger) Errorf(format string, args ...any) { l.console.Warn(fmt.Sprintf(format, args...)) }
func (l *kindLogger) Enabled() bool                     { return true }
func (l *kindLogger) Info(message string)               { l.console.Note(strings.TrimSuffix(message, "\n")) }

func (l *kindLogger) V(level log.Level) log.InfoLogger {
	if level > 0 {
		return log.NoopInfoLogger{}
	}
	return l
}

func (l *kindLogger) Infof(format string, args ...any) {
	if len(args) == 1 && l.status(format, fmt.Sprint(args[0])) {
		return
	}
	l.Info(fmt.Sprintf(format, args...))
}

// status handles a message about a step, and reports whether it was one.
func (l *kindLogger) status(format, title string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case format == kindStart:
		l.step = l.console.Step(title)
	case format == kindSuccess && l.step != nil:
		l.step.Done(nil)
		l.step = nil
	case format == kindFailure && l.step != nil:
		l.step.Done(errKindStep)
		l.step = nil
	default:
		return false
	}
	return true
}
