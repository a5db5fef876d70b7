package cloudprovider_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
)

const (
	nodeKey  = "label=io.x-k8s.kind.cluster"
	proxyKey = "label=io.x-k8s.cloud-provider-kind.cluster"
)

// shells that the script must run under; busybox is what the real image has.
func shells(t testing.TB) map[string][]string {
	t.Helper()
	found := map[string][]string{"sh": {"/bin/sh"}}
	for name, command := range map[string][]string{"dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}} {
		if path, err := exec.LookPath(command[0]); err == nil {
			found[name] = append([]string{path}, command[1:]...)
		}
	}
	return found
}

// scoped is a folder with the script, and a docker CLI behind it that prints
// its arguments, each ended by a NUL.
type scoped struct {
	shell  []string
	script string
	path   string
}

// newScoped must be called before t.Parallel: a process that another test forks
// meanwhile would hold the scripts open for writing, and then they can't be executed.
func newScoped(t testing.TB, shell []string) scoped {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	script := write("sbin/docker", string(cloudprovider.ScopeScript()))
	write("real bin/docker", "#!/bin/sh\n[ $# -eq 0 ] || printf '%s\\0' \"$@\"\nexit 7\n")
	write("later/docker", "#!/bin/sh\nexit 8\n")
	path := []string{filepath.Join(dir, "sbin"), filepath.Join(dir, "none"), filepath.Join(dir, "real bin"), filepath.Join(dir, "later")}
	return scoped{shell: shell, script: script, path: strings.Join(path, ":")}
}

// run returns the arguments that the docker CLI got.
func (s scoped) run(t *testing.T, cluster string, args ...string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), s.shell[0], slices.Concat(s.shell[1:], []string{s.script}, args)...)
	command.Env = []string{"PATH=" + s.path, "MAGEKIND_CLUSTER=" + cluster}
	out, err := command.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Fatalf("got %v, want the exit code of the docker CLI, 7; output %q", err, out)
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestScopeScript(t *testing.T) {
	for name, shell := range shells(t) {
		s := newScoped(t, shell)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, test := range scopeCases() {
				if got := s.run(t, "my.cluster-1", test.args...); !slices.Equal(got, test.want) {
					t.Errorf("docker %q\n got %q\nwant %q", test.args, got, test.want)
				}
			}
		})
	}
}

type scopeCase struct{ args, want []string }

func scopeCases() []scopeCase {
	const is = "=my.cluster-1"
	untouched := func(args ...string) scopeCase { return scopeCase{args, args} }
	return []scopeCase{
		// what the cloud provider asks
		{
			[]string{"ps", "-a", "--filter", nodeKey, "--format", `{{.Label "io.x-k8s.kind.cluster"}}`},
			[]string{"ps", "-a", "--filter", nodeKey + is, "--format", `{{.Label "io.x-k8s.kind.cluster"}}`},
		},
		{[]string{"ps", "-a", "--filter", proxyKey}, []string{"ps", "-a", "--filter", proxyKey + is}},
		// the same in other words
		{[]string{"ps", "--filter=" + nodeKey, "-q"}, []string{"ps", "--filter=" + nodeKey + is, "-q"}},
		{[]string{"ps", "-f", nodeKey}, []string{"ps", "-f", nodeKey + is}},
		{[]string{"ps", "-aqf", proxyKey}, []string{"ps", "-aqf", proxyKey + is}},
		{[]string{"ps", "-f" + proxyKey}, []string{"ps", "-f" + proxyKey + is}},
		{[]string{"ps", "-f=" + proxyKey}, []string{"ps", "-f=" + proxyKey + is}},
		{[]string{"container", "ls", "-qf" + nodeKey}, []string{"container", "ls", "-qf" + nodeKey + is}},
		{
			[]string{"--context", "x", "ps", "--filter", nodeKey, "--filter", proxyKey},
			[]string{"--context", "x", "ps", "--filter", nodeKey + is, "--filter", proxyKey + is},
		},
		// everything else
		untouched(),
		untouched("ps", "-a", "--filter", nodeKey+"=other"),
		untouched("ps", "-a", "--filter", nodeKey+"="),
		untouched("ps", "-a", "--filter", nodeKey+".x"),
		untouched("ps", "-a", "--filter", "x"+nodeKey),
		untouched("ps", "-q", "-f", "name=kindccm-0123456789ab"),
		untouched("ps", "--format", nodeKey),
		untouched("run", "--label", proxyKey, "--filter", nodeKey, "image"),
		untouched("exec", "-i", "node", "find", "-f", nodeKey),
		untouched("container", "exec", "node", "--filter", nodeKey),
		untouched("inspect", "-f", `{{range .NetworkSettings.Networks}}{{.IPAddress}},{{end}}`, "x"),
		untouched("run", "image", "bash", "-c", "echo -en 'a: \"b\"\n\tc\\n $HOME `id` * ' > /x && true", "", " ", "'", `"`, "*", "\\", "-", "--", "-f"),
		untouched("", "--filter", "", nodeKey, ""),
		untouched("logs", "-f", "-n", "5", "x"),
		untouched("ps", "-fxf="+nodeKey, "-fxf"+nodeKey, "-ff", nodeKey), // whose value begins after the first f
	}
}

// TestScopeScriptClusterNames has names that a shell or printf could take amiss.
// Config.Validate refuses most of them; the script does not rely on that.
func TestScopeScriptClusterNames(t *testing.T) {
	s := newScoped(t, []string{"/bin/sh"})
	t.Parallel()
	for _, cluster := range []string{"kind", "a", "1.2-3", "0..--", "x$(id)", "`id`", "a b", "'\"", "*", "\\n%s", "-n"} {
		want := []string{"ps", "--filter", nodeKey + "=" + cluster}
		if got := s.run(t, cluster, "ps", "--filter", nodeKey); !slices.Equal(got, want) {
			t.Errorf("cluster %q: got %q, want %q", cluster, got, want)
		}
	}
}

// TestScopeScriptByPath runs it as the cloud provider does, found on PATH.
func TestScopeScriptByPath(t *testing.T) {
	s := newScoped(t, nil)
	t.Parallel()
	link := filepath.Join(t.TempDir(), "also sbin")
	if err := os.Symlink(filepath.Dir(s.script), link); err != nil {
		t.Fatal(err)
	}
	// the same folder under a second name must not make it call itself
	s.path = link + ":" + s.path
	// and a folder is a name, not a pattern, which here would find another docker
	s.path = filepath.Join(filepath.Dir(filepath.Dir(s.script)), "l*r") + ":" + s.path
	command := exec.CommandContext(t.Context(), "/usr/bin/env", "docker", "ps", "-f", nodeKey)
	command.Env = []string{"PATH=" + s.path, "MAGEKIND_CLUSTER=mine"}
	out, _ := command.Output()
	if got, want := string(out), "ps\x00-f\x00"+nodeKey+"=mine\x00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := command.ProcessState.ExitCode(), 7; got != want {
		t.Errorf("got exit code %d, want %d", got, want)
	}
}

func TestScopeScriptRefuses(t *testing.T) {
	s := newScoped(t, nil)
	t.Parallel()
	for _, test := range []struct {
		name, want string
		env        []string
		code       int
	}{
		{"no CLI behind it", "no docker CLI on PATH", []string{"PATH=" + filepath.Dir(s.script), "MAGEKIND_CLUSTER=a"}, 127},
		{"no cluster", "MAGEKIND_CLUSTER", []string{"PATH=" + s.path}, 0},
		{"empty cluster", "MAGEKIND_CLUSTER", []string{"PATH=" + s.path, "MAGEKIND_CLUSTER="}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), s.script, "ps", "--filter", proxyKey)
			command.Env = test.env
			out, err := command.CombinedOutput()
			if err == nil || !strings.Contains(string(out), test.want) {
				t.Errorf("got %v and %q, want an error with %q", err, out, test.want)
			}
			code := command.ProcessState.ExitCode()
			if code == 7 || test.code != 0 && code != test.code {
				t.Errorf("got exit code %d, want %d", code, test.code)
			}
		})
	}
}
