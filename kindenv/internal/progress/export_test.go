package progress

import "io"

// NewTerminal returns a console that takes out for a terminal.
func NewTerminal(out io.Writer) *Console { return &Console{out: out, terminal: true} }

// Wanted is the part of IsTerminal that looks at the environment.
func Wanted(env func(string) string, goos string) bool { return wanted(env, goos) }

// KindFormats are the formats that make a step of a message of kind.
func KindFormats() []string { return []string{kindStart, kindSuccess, kindFailure} }
