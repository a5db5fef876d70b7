package kindenv

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/magekind/magekind/kindenv/internal/dump"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// excerpt is the end of something that helps to understand a failure.
type excerpt struct {
	title string
	text  string
}

// report writes the block that ends a failed command's output: the step, the
// error, the last lines of what failed, and where there is more.
func (s *session) report(failure *Failure, excerpts []excerpt, advice []string) {
	if s.cfg.Out == nil {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nEnvironment %q failed\n", s.name)
	if failure.Step != "" {
		fmt.Fprintf(&text, "  step:  %s\n", failure.Step)
	}
	fmt.Fprintf(&text, "  error: %s\n", strings.ReplaceAll(failure.Err.Error(), "\n", "\n         "))
	for _, e := range excerpts {
		s.writeExcerpt(&text, e)
	}
	if failure.Dump != "" {
		fmt.Fprintf(&text, "  dump:  %s\n", failure.Dump)
	}
	for _, line := range advice {
		fmt.Fprintf(&text, "  %s\n", line)
	}
	if s.onGitHub() {
		fmt.Fprintf(&text, "::error title=%s::%s\n", "Environment "+s.name, firstLine(failure.Err.Error()))
	}
	s.console.Note(plain(text.String()))
	failure.Explained = true
}

// onGitHub says whether GitHub Actions reads the output, which folds groups and
// shows errors on the run's page.
func (s *session) onGitHub() bool { return s.deps.env("GITHUB_ACTIONS") == "true" }

func (s *session) writeExcerpt(text *strings.Builder, e excerpt) {
	begin, line, end := "  --- %s\n", "  | ", ""
	if s.onGitHub() {
		begin, line, end = "::group::%s\n", "", "::endgroup::\n"
	}
	fmt.Fprintf(text, begin, e.title)
	for part := range strings.Lines(e.text) {
		text.WriteString(line + strings.TrimRight(part, "\r\n") + "\n")
	}
	text.WriteString(end)
}

// excerpts picks from a dump what belongs to the part that failed.
func (s *session) excerpts(failure *Failure, files []dump.File) (picked []excerpt) {
	pick := func(title, name string, lines int) {
		for _, file := range files {
			if text := lastLines(file.Content, lines); file.Name == name && text != "" {
				picked = append(picked, excerpt{fmt.Sprintf("%s (last lines)", title), text})
			}
		}
	}
	control, provider := s.name+"-"+kind.RoleControlPlane, s.name+"-cloud-provider"
	var command *kind.CommandError
	switch {
	case errors.As(failure.Err, &command) && s.api == nil:
		if strings.Count(strings.TrimSpace(command.Output), "\n") >= kind.OutputLines { // else the error has all of it
			picked = append(picked, excerpt{"output of " + shorten(command.Command) + " (last lines)", lastLines(command.Output, 40)})
		}
		pick("console of "+control, logFile(control), 15)
		pick("kubelet of "+control, kubeletFile(control), 25)
	case strings.Contains(failure.Step, "cloud provider"):
		pick("log of "+provider, logFile(provider), 30)
		pick("events", eventsFile, 10)
	default:
		pick("pods", podsFile, 25)
		pick("events", eventsFile, 20)
		pick("kubelet of "+control, kubeletFile(control), 15)
		pick("log of "+provider, logFile(provider), 10)
	}
	return picked
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// shorten keeps the beginning of a command, which may have a whole file in it.
func shorten(command string) string {
	const enough = 100
	if line := firstLine(command); len(line) > enough {
		return strings.ToValidUTF8(line[:enough], "") + "…"
	}
	return firstLine(command)
}

// ansi is an escape sequence of a terminal: CSI, OSC, or a short one.
var ansi = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\-_])")

// plain takes out what would move the cursor or change colours: the lines come
// from programs that take their output for a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, ansi.ReplaceAllString(text, ""))
}
