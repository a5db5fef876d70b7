//go:build linux

package main

import (
	"strings"
	"testing"
)

// global is how containerd's shim begins every call.
const global = "--root /run/docker/runtime-runc/moby --log /run/x/log.json --log-format json --systemd-cgroup "

func TestRequest(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]target{
		global + "create --bundle /run/b --pid-file /run/b/init.pid abc":        {"/run/b/config.json", "process"},
		global + "create --no-pivot --bundle=/run/b abc":                        {"/run/b/config.json", "process"},
		"run -b /run/b --detach abc":                                            {"/run/b/config.json", "process"},
		"--root=/run/r restore -b=/run/b abc":                                   {"/run/b/config.json", "process"},
		"create abc":                                                            {"config.json", "process"},
		global + "exec --process /tmp/runc-process1 --console-socket /s -d abc": {"/tmp/runc-process1", ""},
		"--debug exec --user 0 -p /tmp/p abc":                                   {"/tmp/p", ""},
	} {
		if got, ok := request(strings.Fields(args)); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", args, got, ok, want)
		}
	}
}

func TestRequestOfOtherCommands(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"", "--version", global + "state abc", global + "kill abc 9", "delete --force abc", "--root create", "start abc",
		"exec abc ls -p /etc", "exec --env A=1 abc ls --process /x", "exec -- abc --process /x", "exec --process",
	} {
		if got, ok := request(strings.Fields(args)); ok {
			t.Errorf("%s: got %v, want no target", args, got)
		}
	}
}
