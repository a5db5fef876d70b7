package engine

import (
	"fmt"
	"os"
	"strings"
)

const (
	hostDaemonJSON = "/etc/docker/daemon.json"
	hostPIDFile    = "/var/run/docker.pid"
	installedAs    = "/usr/local/sbin/runc-bounded"
)

// inUse is the refusal to start a second dockerd beside a used one, with what
// to do instead. program is the compiled wrapper; reason says why the engine
// found can't run kind nodes, nil when none was found.
func inUse(host string, names []string, program string, reason error) error {
	refusal := fmt.Errorf("the Docker engine at %q has running containers (%s), and a second one would rewrite the iptables chains "+
		"that make them reachable.\n%s\nOr stop those containers. Then run this again",
		host, strings.Join(names, ", "), giveRuntime(hostDaemonJSON, program))
	if reason == nil {
		return refusal
	}
	return fmt.Errorf("%w\nwhy the engine can't be used as it is: %w", refusal, reason)
}

// giveRuntime says how the host's dockerd gets the wrapper as its default
// runtime, while its containers run on.
func giveRuntime(daemonJSON, program string) string {
	current, err := os.ReadFile(daemonJSON)
	if err != nil {
		current = nil // most hosts have none
	}
	note := ""
	text, err := withRuntime(current, installedAs)
	if err != nil {
		note = fmt.Sprintf("# what %s holds now is not valid JSON (%v): merge this into it by hand\n", daemonJSON, err)
		text, _ = withRuntime(nil, installedAs)
	}
	return fmt.Sprintf(`Give that engine a runtime that leaves out the capabilities which this host lacks, as root; its containers go on running:

install -D -m 0755 %s %s
mkdir -p /etc/docker
%scat >%s <<'EOF'
%s
EOF
kill -HUP "$(cat %s)"
`, program, installedAs, note, daemonJSON, text, hostPIDFile)
}
