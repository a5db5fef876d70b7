package cloudprovider

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// process is a cloud provider that runs outside of containers.
type process struct {
	pid     int
	command string
}

// hostProcesses finds the cloud providers among this machine's processes that
// may use the engine.
func hostProcesses(at engine.Endpoint) []process { return processesIn(os.DirFS("/proc"), at) }

// processesIn reads what /proc has; what can't be read is left out.
func processesIn(proc fs.FS, at engine.Endpoint) []process {
	entries, _ := fs.ReadDir(proc, ".")
	var found []process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		command := argumentsOf(proc, entry.Name())
		if runs, _ := runsProgram(command); runs && !inContainer(proc, entry.Name()) && mayUse(proc, entry.Name(), at) {
			found = append(found, process{pid, command[0]})
		}
	}
	return found
}

// argumentsOf is a process's command; none for the kernel's own.
func argumentsOf(proc fs.FS, pid string) []string {
	raw, err := fs.ReadFile(proc, pid+"/cmdline")
	if err != nil || len(raw) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimRight(raw, "\x00")), "\x00")
}

// inContainer reports whether a process has a PID namespace of its own, and so
// a second process ID: containers' are judged by what the engine says.
func inContainer(proc fs.FS, pid string) bool {
	raw, _ := fs.ReadFile(proc, pid+"/status")
	_, ids, _ := strings.Cut(string(raw), "NSpid:")
	ids, _, _ = strings.Cut(ids, "\n")
	return len(strings.Fields(ids)) > 1
}

// mayUse is false for a process that is known to use another engine: its
// environment may be ours to read, and may name one.
func mayUse(proc fs.FS, pid string, at engine.Endpoint) bool {
	raw, _ := fs.ReadFile(proc, pid+"/environ")
	for variable := range strings.SplitSeq(string(raw), "\x00") {
		if host, named := strings.CutPrefix(variable, "DOCKER_HOST="); named && host != "" {
			return socketPath(host) == socketPath(at.Host)
		}
	}
	return true
}

// socketPath makes hosts comparable.
func socketPath(host string) string {
	file, ok := strings.CutPrefix(host, "unix://")
	if !ok {
		return strings.TrimSuffix(host, "/")
	}
	file = path.Clean(file)
	if rest, old := strings.CutPrefix(file, "/var/run/"); old {
		return "/run/" + rest
	}
	return file
}
