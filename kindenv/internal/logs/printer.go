package logs

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// printer writes lines of several sources to one writer, one at a time.
type printer struct {
	colour bool
	broken func() // called when out fails

	mu    sync.Mutex // guards out and all below
	out   io.Writer
	width int            // of the widest name so far
	order map[string]int // of the names, as they appeared
	err   error          // of the first write that failed
}

// reserve makes room for name, so that the lines of sources that begin together
// are aligned from the first on, and gives it the next colour.
func (p *printer) reserve(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(name)
}

// add needs p.mu.
func (p *printer) add(name string) {
	if _, known := p.order[name]; known {
		return
	}
	if p.order == nil {
		p.order = map[string]int{}
	}
	p.order[name] = len(p.order)
	p.width = max(p.width, utf8.RuneCountInString(name))
}

// line writes one line, without the credentials in it. After a failure it does nothing.
func (p *printer) line(name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.add(name)
	prefix := name + strings.Repeat(" ", p.width-utf8.RuneCountInString(name)) + " │"
	if p.colour {
		prefix = colour(p.order[name]) + prefix + "\x1b[0m"
	}
	if _, err := io.WriteString(p.out, prefix+" "+redact.Text(text)+"\n"); err != nil {
		p.err = fmt.Errorf("write logs: %w", err)
		p.broken()
	}
}

// failure returns the error of the first write that failed.
func (p *printer) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// colour returns the escape sequence for the n-th source. Red is left for errors.
func colour(n int) string {
	codes := [...]int{36, 33, 32, 35, 34, 96, 93, 92, 95, 94}
	return fmt.Sprintf("\x1b[%dm", codes[n%len(codes)])
}
