package kind

import (
	"strings"
	"testing"
)

func TestSnapshotterOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ dump, want string }{
		"version 3": {
			dump: "version = 3\n[plugins]\n  [plugins.'io.containerd.cri.v1.images']\n    snapshotter = 'overlayfs'\n",
			want: "overlayfs",
		},
		"version 2": {
			dump: "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd]\n  snapshotter = \"fuse-overlayfs\"\n",
			want: "fuse-overlayfs",
		},
		"another section's": {
			dump: "[plugins.'io.containerd.transfer.v1.local']\n  snapshotter = 'native'\n[plugins.'io.containerd.cri.v1.images']\n  other = 1\n",
			want: "",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := snapshotterOf(tt.dump); got != tt.want {
				t.Errorf("snapshotterOf = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLastLines(t *testing.T) {
	t.Parallel()
	if got, want := lastLines("1\n2\n3\n", 2), "…\n2\n3"; got != want {
		t.Errorf("lastLines = %q, want %q", got, want)
	}
}

func TestLastLinesShowsTheReasonNotTheStack(t *testing.T) {
	t.Parallel()
	const said = `[wait-control-plane] Waiting for the kubelet
error execution phase wait-control-plane: failed while waiting for the kubelet
k8s.io/kubernetes/cmd/kubeadm/app/cmd/phases/workflow.(*Runner).Run.func1
	k8s.io/kubernetes/cmd/kubeadm/app/cmd/phases/workflow/runner.go:262
main.main
	/src/main.go:46
runtime.goexit
	runtime/asm_amd64.s:1771`
	want := "…\nerror execution phase wait-control-plane: failed while waiting for the kubelet"
	if got := lastLines(said, 1); got != want {
		t.Errorf("lastLines = %q, want %q", got, want)
	}
}

func TestConcerns(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"docker ps -a --filter label=io.x-k8s.kind.cluster=x --format {{.Names}}": true,
		"docker run --name x-control-plane --label io.x-k8s.kind.cluster=x node":  true,
		"/usr/bin/docker exec --privileged x-control-plane2 kubeadm init":         true,
		"docker rm -f -v x-worker x-worker2":                                      true,
		"docker ps -a --filter label=io.x-k8s.kind.cluster=xy":                    false,
		"docker exec --privileged xx-control-plane kubeadm init":                  false,
		"docker exec --privileged x-worker-of-mine true":                          false,
		"docker info":              false,
		"podman rm -f -v x-worker": false,
		"":                         false,
	} {
		if got := concerns(strings.Fields(line), Docker, "x"); got != want {
			t.Errorf("concerns(%q) = %t, want %t", line, got, want)
		}
	}
}
