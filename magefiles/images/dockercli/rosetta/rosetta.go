// Package rosetta takes the place of a module that the Go module proxy does not
// serve: the docker command asks it whether macOS translates its instructions,
// which is never so in a Linux container.
package rosetta

// Enabled reports whether the process runs translated.
func Enabled() bool { return false }

// NativeArch returns the machine's own architecture, or "" when not translated.
func NativeArch() string { return "" }
