package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// poll is how often a waiting process looks whether the lock is free.
const poll = 200 * time.Millisecond

// Lock takes a part of the cache for this process. While another one has it,
// waiting is called once with what is known of that, and Lock waits until ctx is
// done. The operating system frees the lock of a process that dies.
func (c *Cache) Lock(ctx context.Context, part string, waiting func(holder string)) (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(c.dir, part+".lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock the cache of images: %w", err)
	}
	for told := false; ; {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(fmt.Errorf("lock %q: %w", file.Name(), err), file.Close())
		}
		if !told {
			told = true
			waiting(holder(file))
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for %s: %w", holder(file), ctx.Err()), file.Close())
		case <-time.After(poll):
		}
	}
	if err := sign(file); err != nil {
		return nil, errors.Join(fmt.Errorf("sign %q: %w", file.Name(), err), file.Close())
	}
	return file.Close, nil
}

// sign says in the lock file who holds it.
func sign(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	text := fmt.Sprintf("process %d since %s\n", os.Getpid(), time.Now().Format(time.TimeOnly))
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

func holder(file *os.File) string {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<10))
	if err != nil || len(text) == 0 {
		return "another process"
	}
	return strings.TrimSpace(string(text))
}
