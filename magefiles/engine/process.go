package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processes is where the kernel describes them; tests have their own.
const processes = "/proc"

// pid returns the process of our dockerd, or 0 when it does not run.
func (l layout) pid() int {
	return daemonPID(processes, l.pidFile(), "dockerd", l.config())
}

// containerdPID returns the process of the containerd that our dockerd started, or 0.
func (l layout) containerdPID() int {
	return daemonPID(processes, l.containerdPIDFile(), "containerd", l.containerdConfig())
}

// daemonPID returns the process of a daemon that was started with this
// configuration file: the one in pidFile if that is it, or else any. A stale pid
// file, whose number another program may have by now, misleads nobody.
func daemonPID(proc, pidFile, program, config string) int {
	if pid := readPID(pidFile); pid != 0 && isDaemon(commandLine(proc, pid), program, config) {
		return pid
	}
	entries, err := os.ReadDir(proc)
	if err != nil {
		return 0 // no /proc: not Linux, where no engine of ours runs
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && isDaemon(commandLine(proc, pid), program, config) {
			return pid
		}
	}
	return 0
}

// readPID returns 0 when the file is absent or has no pid.
func readPID(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 0 {
		return 0
	}
	return pid
}

// commandLine returns a process's arguments; none for a process that has ended, also a zombie.
func commandLine(proc string, pid int) []string {
	text, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "cmdline"))
	text = bytes.TrimSuffix(text, []byte{0})
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(string(text), "\x00")
}

// isDaemon says whether a command line is the program's with that configuration file.
func isDaemon(args []string, program, config string) bool {
	if len(args) == 0 || filepath.Base(args[0]) != program {
		return false
	}
	for i, arg := range args[1:] {
		name, value, inline := strings.Cut(arg, "=")
		if !inline && i+2 < len(args) {
			value = args[i+2]
		}
		if (name == "--config-file" || name == "--config") && value == config {
			return true
		}
	}
	return false
}
