//go:build unix

package kubeconfig

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner of like, so that a run as root does not take the
// user's kubeconfig away. It does what it can: others may not change owners.
func keepOwner(f *os.File, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(stat.Uid), int(stat.Gid))
	}
}
