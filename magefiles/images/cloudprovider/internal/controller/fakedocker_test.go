package controller_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/docker"
)

// script plays docker over a folder: clusters and admin.conf are files there,
// each container is a file in proxies, and calls has one line per call.
const script = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >>calls
case "$*" in
"ps -a --filter label=io.x-k8s.kind.cluster --format "*)
	if [ -e broken ]; then echo "no engine here" >&2; exit 1; fi
	cat clusters ;;
"ps --filter label=io.x-k8s.kind.cluster="*)
	name=${3#label=io.x-k8s.kind.cluster=}
	echo "$name-control-plane" ;;
"exec "*" cat /etc/kubernetes/admin.conf")
	cat "$2.conf" ;;
"exec -i "*" /bin/cloud-provider-kind configure")
	cat >"proxies/$3" ;;
"ps -a --filter label=io.x-k8s.cloud-provider-kind.cluster --format "*)
	ls proxies ;;
"ps -a --filter label=io.x-k8s.cloud-provider-kind.cluster="*)
	cat adopted 2>/dev/null || true ;;
"container inspect "*)
	if [ ! -e "proxies/$3" ]; then echo "Error: No such container: $3" >&2; exit 1; fi
	ports=$(cat "ports.$3")
	echo '[{"State":{"Running":true},"Config":{"Image":"standin:test"},"HostConfig":{"PortBindings":{"10000/tcp":[]'"$ports"'}},
	"NetworkSettings":{"Networks":{"kind":{"IPAddress":"172.18.0.9","GlobalIPv6Address":"fc00::9"}}}}]' ;;
"run "*)
	if [ -e full ]; then echo "no space left" >&2; exit 125; fi
	name= config= ports=
	while [ $# -gt 0 ]; do
		case "$1" in
		--name) name=$2 ;;
		--env) config=${2#STANDIN_PROXY_CONFIG=} ;;
		--publish) case "$2" in *::*) ;; *) ports="$ports,\"$2\":[]" ;; esac ;;
		esac
		shift
	done
	echo "$ports" >"ports.$name"
	echo "$config" >"proxies/$name" ;;
"rm -f -v "*)
	shift 3
	for name; do rm -f "proxies/$name"; done ;;
*)
	echo "unexpected call: $*" >&2; exit 64 ;;
esac
`

type fakeDocker struct {
	t   *testing.T
	dir string
}

func newFakeDocker(t *testing.T, clusters ...string) *fakeDocker {
	t.Helper()
	f := &fakeDocker{t: t, dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(f.dir, "proxies"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A process forked while the script is open for writing would keep it so, and then nobody could execute it.
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(f.dir, "docker"), []byte(script), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	f.write("calls", "")
	f.setClusters(clusters...)
	return f
}

func (f *fakeDocker) cli() docker.CLI { return docker.CLI{Command: filepath.Join(f.dir, "docker")} }

func (f *fakeDocker) setClusters(names ...string) {
	f.write("clusters.new", strings.Join(names, "\n")+"\n")
	if err := os.Rename(filepath.Join(f.dir, "clusters.new"), filepath.Join(f.dir, "clusters")); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fakeDocker) write(name, content string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fakeDocker) remove(name string) {
	f.t.Helper()
	if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

// proxies returns each proxy's configuration by container name.
func (f *fakeDocker) proxies() map[string]string {
	f.t.Helper()
	entries, err := os.ReadDir(filepath.Join(f.dir, "proxies"))
	if err != nil {
		f.t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(f.dir, "proxies", e.Name()))
		if err == nil { // else it was removed meanwhile
			found[e.Name()] = strings.TrimSpace(string(raw))
		}
	}
	return found
}

// calls returns the calls so far that start with prefix.
func (f *fakeDocker) calls(prefix string) []string {
	f.t.Helper()
	raw, err := os.ReadFile(filepath.Join(f.dir, "calls"))
	if err != nil {
		f.t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(raw), "\n"), func(c string) bool { return !strings.HasPrefix(c, prefix) || c == "" })
}
