//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// absentCapabilities returns the names of the capabilities that the bounding
// set in a process status file (as /proc/self/status) lacks.
func absentCapabilities(status string) (map[string]bool, error) {
	bounding, err := boundingSet(status)
	if err != nil {
		return nil, err
	}
	absent := map[string]bool{}
	for bit, name := range names() {
		if bounding>>bit&1 == 0 {
			absent["CAP_"+name] = true
		}
	}
	return absent, nil
}

func boundingSet(status string) (uint64, error) {
	file, err := os.Open(status)
	if err != nil {
		return 0, fmt.Errorf("reading the bounding set: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if hex, ok := strings.CutPrefix(lines.Text(), "CapBnd:"); ok {
			set, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			if err != nil {
				return 0, fmt.Errorf("reading the bounding set in %q: %w", status, err)
			}
			return set, nil
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("reading the bounding set: %w", err)
	}
	return 0, fmt.Errorf("reading the bounding set: %q has no line CapBnd", status)
}

// names lists the capabilities in the order of their numbers (linux/capability.h).
// One that this list doesn't know yet is left in the request.
func names() []string {
	return strings.Fields(`
		CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID
		SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER
		SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE
		SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP
		MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF
		CHECKPOINT_RESTORE`)
}
