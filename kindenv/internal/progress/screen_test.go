package progress_test

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// screen is a terminal of unlimited width that knows the control sequences
// that a console may use, and no others.
type screen struct {
	t     *testing.T
	mu    sync.Mutex
	lines [][]rune
	row   int
	col   int
}

func newScreen(t *testing.T) *screen { return &screen{t: t, lines: [][]rune{nil}} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	control := regexp.MustCompile(`^\x1b\[(\??)(\d*)([A-Za-z])`)
	for text := string(p); text != ""; {
		if m := control.FindStringSubmatch(text); m != nil {
			s.control(m[1], m[2], m[3])
			text = text[len(m[0]):]
			continue
		}
		r := []rune(text)[0]
		text = strings.TrimPrefix(text, string(r))
		s.put(r)
	}
	return len(p), nil
}

func (s *screen) put(r rune) {
	switch r {
	case '\n':
		s.row++
		s.col = 0
		if s.row == len(s.lines) {
			s.lines = append(s.lines, nil)
		}
	case '\r':
		s.col = 0
	case '\x1b':
		s.t.Error("unknown escape sequence")
	default:
		line := s.lines[s.row]
		for len(line) <= s.col {
			line = append(line, ' ')
		}
		line[s.col] = r
		s.lines[s.row] = line
		s.col++
	}
}

func (s *screen) control(private, number, letter string) {
	n, err := strconv.Atoi(number)
	if err != nil {
		n = 1
	}
	switch {
	case letter == "m", private == "?" && n == 7: // colour, and wrapping of lines
	case letter == "A":
		if s.row -= n; s.row < 0 {
			s.t.Fatal("the cursor went above the first line")
		}
	case letter == "J":
		s.lines[s.row] = s.lines[s.row][:min(s.col, len(s.lines[s.row]))]
		s.lines = s.lines[:s.row+1]
	default:
		s.t.Errorf("unknown control sequence %s%s%s", private, number, letter)
	}
}

// String returns what a user sees.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, line := range s.lines {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
