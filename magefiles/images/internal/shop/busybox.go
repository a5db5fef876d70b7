package shop

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"github.com/magekind/magekind/magefiles/images/internal/debian"
	"github.com/magekind/magekind/magefiles/images/internal/key"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// Busybox returns the path of Debian's static busybox.
func (s *Shop) Busybox(ctx context.Context) (string, error) {
	return s.Results.Make("busybox", key.New(runtime.GOARCH).String(), func(path string) error {
		return s.Step("get busybox", func(*progress.Step) error {
			s.installing.Lock()
			defer s.installing.Unlock()
			dir := path + ".d"
			defer os.RemoveAll(dir)
			if err := debian.Extract(ctx, "busybox-static", dir); err != nil {
				return err
			}
			return os.Rename(filepath.Join(dir, "bin", "busybox"), path)
		})
	})
}
