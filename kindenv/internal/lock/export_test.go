package lock

// Command shortens a command line.
func Command(args []string) string { return command(args) }
