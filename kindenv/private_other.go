//go:build !unix

package kindenv

// keepPrivate has nothing to do: the folder for this module's files is below the
// user's own, and has its rights.
func keepPrivate(string) error { return nil }

// user needs to tell nobody: the folder for temporary files is each user's own.
func user() string { return "" }
