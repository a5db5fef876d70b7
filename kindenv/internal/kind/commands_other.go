//go:build !linux

package kind

// killCommands does nothing where a process's children can't be told without
// another command: those that wait for the engine end when it answers or ends.
func killCommands(string, string) {}
