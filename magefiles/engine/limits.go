package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// inotifyDir has the host's limits on watching files, which all nodes share. A
// node takes about 27 instances; Linux's default of 128 is used up by the
// fifth, whose systemd then ends with "too many open files".
const inotifyDir = "/proc/sys/fs/inotify"

// change is a limit's value before and after we raised it.
type change struct{ From, To int }

// leastLimits returns what kind's documentation recommends.
func leastLimits() map[string]int {
	return map[string]int{"max_user_instances": 512, "max_user_watches": 524288}
}

// raiseLimits raises the host's limits where they are lower, until the next
// reboot, and keeps a record of what they were. It is no failure that it can't.
func (m *maker) raiseLimits(dir string) error {
	changes, err := m.changes()
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(leastLimits()) {
		file, least := filepath.Join(dir, name), leastLimits()[name]
		now, err := readLimit(file)
		if err != nil || now >= least {
			continue
		}
		if err := writeLimit(file, least); err != nil {
			m.say("fs.inotify.%s is %d, which is little for several nodes, and can't be raised: %v", name, now, err)
			continue
		}
		m.say("raising fs.inotify.%s from %d to %d, as kind recommends", name, now, least)
		changes[name] = change{From: now, To: least}
	}
	text, err := json.Marshal(changes)
	if err != nil {
		return fmt.Errorf("recording the limits: %w", err)
	}
	if err := os.WriteFile(m.limits(), text, 0o644); err != nil {
		return fmt.Errorf("recording the limits: %w", err)
	}
	return nil
}

// restoreLimits sets the limits back that are still as we raised them.
func (m *maker) restoreLimits(dir string) error {
	changes, err := m.changes()
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range sortedKeys(changes) {
		file := filepath.Join(dir, name)
		if now, err := readLimit(file); err == nil && now == changes[name].To {
			errs = append(errs, writeLimit(file, changes[name].From))
		}
	}
	return errors.Join(errs...)
}

// changes reads the record of raised limits.
func (l layout) changes() (map[string]change, error) {
	changes := map[string]change{}
	text, err := os.ReadFile(l.limits())
	if errors.Is(err, fs.ErrNotExist) {
		return changes, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &changes)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the record of raised limits: %w", err)
	}
	return changes, nil
}

func readLimit(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

func writeLimit(file string, value int) error {
	return os.WriteFile(file, []byte(strconv.Itoa(value)+"\n"), 0o644)
}
