package lock

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	unknown    = "a process that did not say who it is"
	maxCommand = 120 // bytes
	minHash    = 32  // digits
)

// describe says who this process is, for people who wait for it.
func describe(pid int, args []string, since time.Time) string {
	return fmt.Sprintf("process %d (%s), since %s", pid, command(args), since.Format(time.DateTime))
}

// target matches an argument that names what a command does, such as a target of mage.
var target = regexp.MustCompile(`^[A-Za-z][\w:.-]*$`)

// command shortens a command line to the program and what it does: more
// arguments may be anything, passwords too, and the text is written to a file. A
// program whose name is a hash is a magefile that mage compiled.
func command(args []string) string {
	if len(args) == 0 {
		return "?"
	}
	program := filepath.Base(args[0])
	digits := strings.TrimSuffix(program, ".exe")
	if _, err := hex.DecodeString(digits); err == nil && len(digits) >= minHash {
		program = "mage"
	}
	line, rest := program, args[1:]
	if len(rest) > 0 && target.MatchString(rest[0]) {
		line, rest = line+" "+rest[0], rest[1:]
	}
	if len(rest) > 0 {
		line += " …"
	}
	if len(line) > maxCommand {
		line = strings.ToValidUTF8(line[:maxCommand], "") + "…"
	}
	return line
}

// holder is the file that says who holds a lock. The holder keeps it locked,
// too: one that is not is of a process that has died. (On Windows, where a
// locked file can't be read, it is not.)
type holder struct {
	path string
	file *flock.Flock // locked by this process; nil: none
}

// announce says that this process is the holder, which it must be. It renames
// the file into place: readers never find a part of it, nor one that is not locked yet.
func (h *holder) announce() error {
	fresh := h.path + ".new"
	_ = os.Remove(fresh) // of a process that died meanwhile
	text := describe(os.Getpid(), os.Args, time.Now())
	err := os.WriteFile(fresh, []byte(text), 0o600)
	if err == nil && runtime.GOOS != "windows" {
		h.file = flock.New(fresh)
		_, err = h.file.TryLock()
	}
	if err == nil {
		err = os.Rename(fresh, h.path)
	}
	if err != nil {
		_ = errors.Join(h.withdraw(), h.end())
	}
	return err
}

// withdraw removes the files, of this process or of one that died before it.
func (h *holder) withdraw() error {
	return errors.Join(gone(h.path), gone(h.path+".new"))
}

// end closes what this process has open.
func (h *holder) end() error {
	if h.file == nil {
		return nil
	}
	return h.file.Close()
}

func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// read returns who holds the lock, as far as is known.
func (h holder) read() string {
	file, err := os.Open(h.path)
	if err != nil {
		return unknown
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil || len(text) == 0 || !h.alive(file) {
		return unknown
	}
	return strings.TrimSpace(string(text))
}

// alive says whether the process that wrote file, which was opened at h.path, holds the lock.
func (h holder) alive(file *os.File) bool {
	if runtime.GOOS == "windows" {
		return true // not known
	}
	// shared, so that of several readers none is taken for the holder
	probe := flock.New(h.path, flock.SetFlag(os.O_RDONLY))
	if free, err := probe.TryRLock(); free || err != nil {
		_ = probe.Close()
		return false
	}
	// no file comes back to this name, so it was this one that was probed
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(h.path)
	return err == nil && os.SameFile(opened, named)
}
