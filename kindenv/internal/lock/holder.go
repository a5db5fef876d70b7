package lock

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
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

// command shortens a command line. A program whose name is a hash is a magefile
// that mage compiled.
func command(args []string) string {
	if len(args) == 0 {
		return "?"
	}
	program := filepath.Base(args[0])
	digits := strings.TrimSuffix(program, ".exe")
	if _, err := hex.DecodeString(digits); err == nil && len(digits) >= minHash {
		program = "mage"
	}
	line := strings.Join(append([]string{program}, args[1:]...), " ")
	if len(line) > maxCommand {
		line = strings.ToValidUTF8(line[:maxCommand], "") + "…"
	}
	return line
}

// writeHolder writes who this process is. It is a file of its own, renamed into
// place: readers never find a part of it, and on Windows a locked file can't be read.
func writeHolder(path string) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(describe(os.Getpid(), os.Args, time.Now()))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

func readHolder(path string) string {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return unknown
	}
	return strings.TrimSpace(string(text))
}
