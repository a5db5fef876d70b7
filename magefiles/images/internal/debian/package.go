package debian

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

// Extract unpacks a package of this machine's own suite into the folder dir,
// without installing it.
func Extract(ctx context.Context, name, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, "package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// apt-get gives root's downloads to a user of its own, who may not enter the folder.
	args := []string{"-o", "APT::Sandbox::User=root", "download", name}
	if err := withLists(ctx, args, work); err != nil {
		return fmt.Errorf("download the package %q: %w", name, err)
	}
	files, err := filepath.Glob(filepath.Join(work, "*.deb"))
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fmt.Errorf("download the package %q: got %d files, want one", name, len(files))
	}
	if out, err := command.New(ctx, "dpkg-deb", "--extract", files[0], dir).CombinedOutput(); err != nil {
		return fmt.Errorf("unpack the package %q: %w\n%s", name, err, tail(out))
	}
	return nil
}
