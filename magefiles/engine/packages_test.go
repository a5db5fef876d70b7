package engine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	find := func(name string) (string, error) {
		if name == "ip" || name == "docker" {
			return "/usr/bin/" + name, nil
		}
		return "", errors.New("not found")
	}
	if got, want := programs(missing(find)), "dockerd, iptables"; got != want {
		t.Errorf("missing %s, want %s", got, want)
	}
}

func TestPackages(t *testing.T) {
	t.Parallel()
	for absent, want := range map[string]string{
		"dockerd iptables ip docker": "docker.io iptables iproute2",
		"dockerd":                    "docker.io",
		"ip docker":                  "iproute2 docker-cli",
		"docker":                     "docker-cli",
		"":                           "",
	} {
		left := missing(func(name string) (string, error) {
			if slices.Contains(strings.Fields(absent), name) {
				return "", errors.New("not found")
			}
			return name, nil
		})
		if got := strings.Join(packages(left), " "); got != want {
			t.Errorf("without %s: install %s, want %s", absent, got, want)
		}
	}
}

func TestDenyServices(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy-rc.d")
	allow, err := denyServices(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("there is no policy that can be run: %v", err)
	}
	allow()
	if _, err := os.Stat(file); err == nil {
		t.Error("the policy stays")
	}

	write(t, file, "the host's own")
	allow, err = denyServices(file)
	if err != nil {
		t.Fatal(err)
	}
	allow()
	if text, err := os.ReadFile(file); err != nil || string(text) != "the host's own" {
		t.Errorf("the host's own policy became %q, %v", text, err)
	}

	write(t, file, denial) // left by a command that was killed
	allow, err = denyServices(file)
	if err != nil {
		t.Fatal(err)
	}
	allow()
	if _, err := os.Stat(file); err == nil {
		t.Error("the policy that an earlier command left stays")
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "a\n": "a", "a\nb\nc\n": "b\nc"} {
		if got := tail(text, 2); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
