//go:build linux

package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// A target is a file with a capabilities object to edit.
type target struct {
	path string
	// within names the member that holds capabilities; empty: the document itself.
	within string
}

// request says which file runc will read capabilities from, given its
// arguments without the program's name. ok is false for commands that start no process.
func request(args []string) (t target, ok bool) {
	_, args = flags(args, []string{"root", "log", "log-format", "criu", "rootless"})
	if len(args) == 0 {
		return target{}, false
	}
	values, _ := flags(args[1:], []string{
		"bundle", "b", "process", "p", "console-socket", "pidfd-socket", "pid-file", "preserve-fds",
		"cwd", "env", "e", "user", "u", "additional-gids", "g", "process-label", "apparmor", "cap", "c", "cgroup",
		"image-path", "work-path", "manage-cgroups-mode", "empty-ns", "lsm-profile", "lsm-mount-context",
	})
	switch args[0] {
	case "create", "run", "restore":
		bundle := values["b"] + values["bundle"]
		return target{path: filepath.Join(bundle, "config.json"), within: "process"}, true
	case "exec":
		process := values["p"] + values["process"]
		return target{path: process}, process != ""
	}
	return target{}, false
}

// flags reads the flags that args begin with: -f, --f, --f=v, and, for those in
// withValue, --f v. It returns their values and the arguments after them.
func flags(args, withValue []string) (values map[string]string, rest []string) {
	values = map[string]string{}
	for len(args) > 0 {
		flag, isFlag := strings.CutPrefix(args[0], "-")
		if !isFlag {
			return values, args
		}
		args = args[1:]
		name, value, inline := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		switch {
		case name == "":
			return values, args
		case !inline && slices.Contains(withValue, name) && len(args) > 0:
			value, args = args[0], args[1:]
		}
		values[name] = value
	}
	return values, nil
}
