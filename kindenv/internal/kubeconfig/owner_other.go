//go:build !unix

package kubeconfig

import (
	"io/fs"
	"os"
)

// keepOwner does nothing where files have no numeric owner.
func keepOwner(*os.File, fs.FileInfo) {}
