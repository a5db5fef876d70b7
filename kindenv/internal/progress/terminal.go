package progress

import (
	"io"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// IsTerminal reports whether out is a terminal that understands colours and
// cursor movement, and whose user wants them. It is not with NO_COLOR set to
// anything (https://no-color.org), with CI set (other than to "false" or "0"),
// with a TERM that kind leaves alone too (dumb, st-256color), and on Windows
// outside Windows Terminal. env is as for [New].
func IsTerminal(out io.Writer, env func(string) string) bool {
	file, ok := out.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd())) && wanted(env, runtime.GOOS)
}

func wanted(env func(string) string, goos string) bool {
	if env == nil {
		env = func(string) string { return "" }
	}
	if env("NO_COLOR") != "" {
		return false
	}
	if InCI(env) {
		return false
	}
	if t := env("TERM"); t == "dumb" || t == "st-256color" {
		return false
	}
	return goos != "windows" || env("WT_SESSION") != ""
}

// InCI says whether CI is set, other than to "false" or "0": nobody looks on.
func InCI(env func(string) string) bool {
	ci := strings.ToLower(env("CI"))
	return ci != "" && ci != "false" && ci != "0"
}
