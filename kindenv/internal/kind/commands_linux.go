package kind

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// killCommands kills this process's children that run a command of kind's about
// a cluster: an engine that hangs would keep them, and they would go on with
// their work once it answers.
func killCommands(runtime, cluster string) {
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return
	}
	for _, path := range found {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || parentOf(path) != os.Getpid() {
			continue
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil && concerns(strings.Split(string(line), "\x00"), runtime, cluster) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // ended meanwhile is as well; it is ours until it is waited for
		}
	}
}

// parentOf reads the parent's number from a process's stat: after the name,
// which is in brackets and may hold anything, come the state and the parent.
func parentOf(stat string) int {
	text, err := os.ReadFile(stat)
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
