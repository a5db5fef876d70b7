package kind

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/kind/pkg/exec"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// ErrPrivileged: the engine can't run privileged containers, which kind's nodes are.
var ErrPrivileged = errors.New("the engine can't run privileged containers")

// ErrNotSetUp: kubeadm has not finished in the cluster's nodes, or there are none.
var ErrNotSetUp = errors.New("the cluster's control plane is not set up")

// CommandError is a failure of a command that kind ran.
type CommandError struct {
	Doing   string // what was being attempted, such as `create cluster "x"`
	Command string // as it could be pasted into a shell
	Output  string // its stdout and stderr, whole
	Hint    string // what is wrong and what to do, where that is known
	err     error
}

// OutputLines is how much of a command's output an error shows. kubeadm's
// last lines hold the reason, after thousands of others.
const OutputLines = 12

func (e *CommandError) Error() string {
	text := fmt.Sprintf("%s: %v", e.Doing, e.err)
	if out := lastLines(e.Output, OutputLines); out != "" {
		text += "\n\t" + strings.ReplaceAll(out, "\n", "\n\t")
	}
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return text
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.err }

// explain adds to an error of kind's what was attempted, the failed command's
// output, and what is known about such an output.
func explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	run := exec.RunErrorForError(err)
	if run == nil {
		return fmt.Errorf("%s: %w", doing, known(err, err.Error()))
	}
	failed := &CommandError{Doing: doing, Command: run.PrettyCommand(), Output: string(run.Output), err: err}
	said := symptomOf(failed.Output)
	failed.Hint = said.hint
	if said.class != nil {
		failed.err = fmt.Errorf("%w: %w", said.class, err)
	}
	return failed
}

// known adds what is known about an error that comes from no command.
func known(err error, text string) error {
	said := symptomOf(text)
	if said.class != nil {
		err = fmt.Errorf("%w: %w", said.class, err)
	}
	if said.hint != "" {
		err = fmt.Errorf("%w\n%s", err, said.hint)
	}
	return err
}

// symptom is something known to be said when a cluster can't be made.
type symptom struct {
	says  []string // any of these
	class error    // may be nil
	hint  string
}

func symptomOf(output string) symptom {
	for _, s := range symptoms() {
		for _, text := range s.says {
			if strings.Contains(output, text) {
				return s
			}
		}
	}
	return symptom{}
}

func symptoms() []symptom {
	return []symptom{
		{
			says:  []string{"unable to apply caps", "unable to apply bounding set", "can't apply capabilities", "can't set capabilities"},
			class: ErrPrivileged,
			hint: "kind's nodes are privileged containers, and the capability bounding set of the process that runs this engine lacks some capability that they ask for.\n" +
				"Use an engine on a machine or VM that grants all of them (compare `grep CapBnd /proc/self/status` with a full set), or give this engine a default runtime that drops the missing ones.",
		},
		{
			says:  []string{"/etc/kubernetes/admin.conf: No such file", "could not locate any control plane nodes"},
			class: ErrNotSetUp,
		},
		{
			says: []string{"cgroup v1 support", "host using cgroup v1", "cgroups v1", "cgroup v1 host"},
			hint: "Kubernetes 1.35 and later refuse cgroup v1 unless the kubelet's configuration says `failCgroupV1: false`. Boot the engine's machine with cgroup v2, or add that setting.",
		},
		{
			says: []string{"error setting cgroup config", "cgroup mountpoint does not exist", "failed to create cgroup", "cannot enter cgroupv2"},
			hint: "the engine's host does not let containers have the cgroups that kind's nodes need; see https://kind.sigs.k8s.io/docs/user/rootless/ and https://kind.sigs.k8s.io/docs/user/known-issues/",
		},
		{
			says: []string{"could not find a log line that matches"},
			hint: "a node container did not boot: see https://kind.sigs.k8s.io/docs/user/known-issues/ (often: cgroups, or inotify limits)",
		},
		{
			says: []string{"port is already allocated", "address already in use"},
			hint: "a port that the cluster's configuration publishes on this machine is taken; find what holds it, or choose another host port",
		},
		{
			says: []string{"too many open files", "inotify"}, // also: no space left on device, for another watch
			hint: "the host's inotify limits are too low for another node: raise fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl",
		},
		{
			says:  []string{"no space left on device", "disk quota exceeded"},
			class: engine.ErrNoSpace,
			hint:  "`docker system df` says what takes the space, and `docker system prune` frees what nothing uses",
		},
		{
			says: []string{"executable file not found"},
			hint: "kind works through the container engine's command-line client: install it and put it on PATH",
		},
	}
}

// lastLines is the end of an output. kubeadm puts a stack trace after the
// reason, which would take its place.
func lastLines(text string, n int) string {
	lines := withoutStacks(strings.Split(strings.TrimSpace(text), "\n"))
	if len(lines) > n {
		lines = append([]string{"…"}, lines[len(lines)-n:]...)
	}
	return strings.Join(lines, "\n")
}

// frame matches the place of a stack frame. The line before it is a function's name.
var frame = regexp.MustCompile(`^\s+\S+\.(go|s):\d+( \+0x[0-9a-f]+)?$`)

func withoutStacks(lines []string) []string {
	var kept []string
	for i, line := range lines {
		place := i > 0 && frame.MatchString(line)
		function := i+1 < len(lines) && frame.MatchString(lines[i+1]) && !strings.Contains(line, " ")
		if !place && !function {
			kept = append(kept, line)
		}
	}
	return kept
}
