package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	defaultRunDir = "/run/magekind"
	lockPoll      = 200 * time.Millisecond
	// longestSocket is what fits the kernel's address of a Unix socket.
	longestSocket = 107
)

// layout names every file of an own engine.
type layout struct {
	dir string // survives a reboot
	run string // does not need to
	key string // tells engines of different folders apart
}

func newLayout(dir, runDir string) (layout, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return layout{}, fmt.Errorf("looking for the user's cache folder: %w", err)
		}
		dir = filepath.Join(cache, "magekind", "engine")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, fmt.Errorf("resolving %q: %w", dir, err)
	}
	if runDir == "" {
		runDir = defaultRunDir
	}
	sum := sha256.Sum256([]byte(dir))
	key := hex.EncodeToString(sum[:4])
	l := layout{dir: dir, run: filepath.Join(runDir, key), key: key}
	// the longest path of a socket below it
	if socket := filepath.Join(l.execRoot(), "containerd", "containerd-debug.sock"); len(socket) > longestSocket {
		return layout{}, fmt.Errorf("RunDir %q: want at most %d characters, since the paths of sockets can't be longer than %d",
			runDir, len(runDir)-len(socket)+longestSocket, longestSocket)
	}
	return l, nil
}

func (l layout) dataRoot() string { return filepath.Join(l.dir, "data") }
func (l layout) programs() string { return filepath.Join(l.dir, "programs") }
func (l layout) log() string      { return filepath.Join(l.dir, "dockerd.log") }
func (l layout) lastLog() string  { return l.log() + ".1" }
func (l layout) limits() string   { return filepath.Join(l.run, "limits.json") }
func (l layout) config() string   { return filepath.Join(l.run, "daemon.json") }
func (l layout) pidFile() string  { return filepath.Join(l.run, "dockerd.pid") }
func (l layout) execRoot() string { return filepath.Join(l.run, "exec") }
func (l layout) socket() string   { return filepath.Join(l.run, "docker.sock") }
func (l layout) host() string     { return "unix://" + l.socket() }

// dockerd starts a containerd of its own, and keeps these files of it.
func (l layout) containerdPIDFile() string {
	return filepath.Join(l.execRoot(), "containerd", "containerd.pid")
}

func (l layout) containerdConfig() string {
	return filepath.Join(l.execRoot(), "containerd", "containerd.toml")
}

// bridge fits the kernel's 15 characters.
func (l layout) bridge() string { return "mgk" + l.key }

// lockFile lies beside the folder, which Remove deletes.
func (l layout) lockFile() string { return l.dir + ".lock" }

// lock makes concurrent commands wait for each other.
func (m *maker) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(m.lockFile()), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the engine's lock: %w", err)
	}
	lock := flock.New(m.lockFile())
	locked, err := lock.TryLock()
	if err == nil && !locked {
		m.say("waiting for another command that holds %s", m.lockFile())
		_, err = lock.TryLockContext(ctx, lockPoll)
	}
	if err != nil {
		return nil, fmt.Errorf("locking %q: %w", m.lockFile(), err)
	}
	return func() { _ = lock.Unlock() }, nil // the kernel drops the lock with the process at the latest
}
