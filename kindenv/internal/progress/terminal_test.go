package progress_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(t)
		see := func(want string) {
			t.Helper()
			synctest.Wait()
			if got := s.String(); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		}
		c := progress.NewTerminal(s)
		c.Note("hello")
		cluster := c.Step("cluster")
		see("hello\n⠈⠁ cluster\n")
		time.Sleep(250 * time.Millisecond)
		see("hello\n⠈⠱ cluster\n")
		images := c.Step("images")
		images.Detail("1 of\n2")
		c.Note("a note\nof two lines\n")
		see("hello\na note\nof two lines\n⠈⠱ cluster\n⠈⠱ images  1 of 2\n")
		time.Sleep(6 * time.Second)
		cluster.Done(nil)
		c.Warn("WARNING: careful")
		see("hello\na note\nof two lines\n ✓ cluster\nWARNING: careful\n⠈⠱ images  1 of 2  6s\n")
		images.Done(errors.New("no space"))
		images.Done(nil)
		see("hello\na note\nof two lines\n ✓ cluster\nWARNING: careful\n ✗ images\n")
		c.Step("more")
		c.Step("and more")
		c.Close(nil)
		c.Step("too late").Done(nil)
		c.Note("bye")
		see("hello\na note\nof two lines\n ✓ cluster\nWARNING: careful\n ✗ images\n ✗ more\n ✗ and more\nbye\n")
	})
}

func TestTerminalColours(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		c := progress.NewTerminal(&b)
		c.Step("good").Done(nil)
		c.Step("bad").Done(io.EOF)
		c.Warn("careful")
		for _, want := range []string{" \x1b[32m✓\x1b[0m good\n", " \x1b[31m✗\x1b[0m bad\n", "\x1b[33mWARNING:\x1b[0m careful\n"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("got %q, want %q in it", b.String(), want)
			}
		}
		if got, want := strings.Count(b.String(), "\x1b[?7h"), strings.Count(b.String(), "\x1b[?7l"); got != want {
			t.Errorf("line wrapping was switched off %d times and on %d times", want, got)
		}
	})
}

func TestIsTerminal(t *testing.T) {
	t.Parallel()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, out := range []io.Writer{nil, io.Discard, file} {
		if progress.IsTerminal(out, nil) {
			t.Errorf("%T counts as a terminal", out)
		}
	}
}

func TestWanted(t *testing.T) {
	t.Parallel()
	tests := []struct {
		goos, env string
		want      bool
	}{
		{"linux", "", true},
		{"linux", "TERM=xterm-256color", true},
		{"linux", "NO_COLOR=1", false},
		{"linux", "NO_COLOR=0", false}, // whatever its value, https://no-color.org
		{"linux", "NO_COLOR=", true},
		{"linux", "CI=true", false},
		{"linux", "CI=woodpecker", false},
		{"linux", "CI=false", true},
		{"linux", "TERM=dumb", false},
		{"linux", "TERM=st-256color", false},
		{"windows", "", false},
		{"windows", "WT_SESSION=5f", true},
	}
	for _, test := range tests {
		key, value, _ := strings.Cut(test.env, "=")
		env := func(name string) string {
			if name == key {
				return value
			}
			return ""
		}
		if got := progress.Wanted(env, test.goos); got != test.want {
			t.Errorf("%s with %q: got %v, want %v", test.goos, test.env, got, test.want)
		}
	}
}
