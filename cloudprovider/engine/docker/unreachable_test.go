package docker_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
)

func TestUnreachableSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		goos       string
		err        error
		want, none string
	}{
		{"linux", syscall.ECONNREFUSED, "sudo systemctl start docker", "usermod"},
		{"linux", syscall.EACCES, "usermod -aG docker", ""},
		{"darwin", syscall.ENOENT, "colima start", "systemctl"},
		{"windows", syscall.ENOENT, "Docker Desktop", "systemctl"},
	} {
		err := docker.Unreachable(test.goos, "unix:///run/x.sock", test.err)
		contains(t, err, engine.ErrUnavailable, "unix:///run/x.sock (DOCKER_HOST): "+test.err.Error(), test.want)
		if test.none != "" && strings.Contains(err.Error(), test.none) {
			t.Errorf("%s: got %v, want nothing of %q", test.goos, err, test.none)
		}
	}
}
