//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
)

func write(path string) error {
	err := os.WriteFile(path, []byte("x"), 0o600)
	switch {
	case err == nil:
		fmt.Println("written")
		return nil
	case errors.Is(err, syscall.EROFS):
		fmt.Println("read-only")
		return nil
	}
	return err
}

// caps prints what the kernel says of this process, hexadecimal sets without leading zeros.
func caps() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	var found []string
	for line := range strings.Lines(string(status)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "CapEff", "CapBnd", "NoNewPrivs":
			value = strings.TrimLeft(strings.TrimSpace(value), "0")
			if value == "" {
				value = "0"
			}
			found = append(found, key+" "+value)
		}
	}
	// in the kernel's order: CapEff, CapBnd, NoNewPrivs
	fmt.Println(strings.Join(found, ", "))
	return nil
}

func links() error {
	all, err := net.Interfaces()
	for _, link := range all {
		if link.Flags&net.FlagUp != 0 && link.Flags&net.FlagLoopback == 0 { // kernels add others, which are down
			fmt.Println(link.Name)
		}
	}
	return err
}
