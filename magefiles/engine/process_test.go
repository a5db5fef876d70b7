package engine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// procWith makes a /proc in which these processes have these command lines.
func procWith(t *testing.T, lines map[int]string) string {
	t.Helper()
	proc := t.TempDir()
	for pid, line := range lines {
		text := strings.ReplaceAll(line, " ", "\x00")
		if line != "" {
			text += "\x00"
		}
		dir := filepath.Join(proc, strconv.Itoa(pid))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "cmdline"), text)
	}
	write(t, filepath.Join(proc, "uptime"), "1 1\n")
	return proc
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDaemonPID(t *testing.T) {
	t.Parallel()
	const config = "/run/magekind/1a2b3c4d/daemon.json"
	proc := procWith(t, map[int]string{
		1:  "/sbin/init",
		7:  "", // a zombie, or a kernel thread
		8:  "dockerd --data-root /var/lib/docker",
		9:  "dockerd --config-file /run/magekind/other/daemon.json",
		10: "/usr/sbin/dockerd --config-file " + config,
		11: "vi " + config,
		12: "grep dockerd --config-file " + config,
	})
	other := procWith(t, map[int]string{8: "dockerd", 9: "dockerd --config-file " + config + ".bak", 11: "vi " + config})
	for name, c := range map[string]struct {
		proc, pidFile string
		want          int
	}{
		"the pid file is right":           {proc, "10", 10},
		"with a newline":                  {proc, "10\n", 10},
		"another program has the number":  {proc, "11", 10},
		"another dockerd has the number":  {proc, "9", 10},
		"nobody has the number":           {proc, "4711", 10},
		"a zombie has the number":         {proc, "7", 10},
		"the pid file is empty":           {proc, "", 10},
		"the pid file is nonsense":        {proc, "ten", 10},
		"ours does not run":               {other, "11", 0},
		"ours does not run, no pid file":  {other, "-", 0},
		"no /proc, as outside of Linux":   {filepath.Join(proc, "none"), "10", 0},
		"negative numbers are no process": {other, "-1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			if c.pidFile != "-" {
				write(t, file, c.pidFile)
			}
			if got := daemonPID(c.proc, file, "dockerd", config); got != c.want {
				t.Errorf("got process %d, want %d", got, c.want)
			}
		})
	}
}

func TestIsDaemon(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"dockerd --config-file /x":                  true,
		"dockerd --config-file=/x":                  true,
		"/usr/bin/dockerd --debug --config-file=/x": true,
		"dockerd --config-file /y":                  false,
		"dockerd --config-file":                     false,
		"dockerd /x":                                false,
		"docker --config-file /x":                   false,
		"dockerd":                                   false,
	} {
		if got := isDaemon(strings.Fields(line), "dockerd", "/x"); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
	if !isDaemon(strings.Fields("containerd --config /c --log-level info"), "containerd", "/c") {
		t.Error("containerd is not recognised")
	}
}
