package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

const (
	listsPattern = "/var/lib/apt/lists/*_Packages*"
	policyFile   = "/usr/sbin/policy-rc.d"
	// denial is a policy that lets no package start a service.
	denial = "#!/bin/sh\n# temporary, while magekind installs packages\nexit 101\n"
	// lockBudget is how long another run of apt may hold its locks.
	lockBudget = 5 * time.Minute
)

// A need is a program, and Debian's package of it.
type need struct{ program, pkg string }

// needs lists what our engine uses. docker is the client, which kind calls;
// some releases have it in docker.io, others apart.
func needs() []need {
	return []need{{"dockerd", "docker.io"}, {"iptables", "iptables"}, {"ip", "iproute2"}, {"docker", "docker-cli"}}
}

// missing returns the needs whose program is not to be found.
func missing(find func(string) (string, error)) []need {
	return slices.DeleteFunc(needs(), func(n need) bool {
		_, err := find(n.program)
		return err == nil
	})
}

// install installs the packages of the programs that are missing.
func (m *maker) install(ctx context.Context) error {
	absent := missing(lookPath)
	if len(absent) == 0 {
		return nil
	}
	apt, err := lookPath("apt-get")
	if err != nil {
		return fmt.Errorf("the engine needs %s, and there is no apt-get to install them with: "+
			"install a Docker engine in your distribution's way", programs(absent))
	}
	started := time.Now()
	// twice, since docker.io may bring the client or leave it to another package
	for range 2 {
		pkgs := packages(missing(lookPath))
		if len(pkgs) == 0 {
			break
		}
		m.say("installing Debian's %s", strings.Join(pkgs, ", "))
		if err := aptInstall(ctx, apt, pkgs); err != nil {
			return err
		}
	}
	if absent := missing(lookPath); len(absent) > 0 {
		return fmt.Errorf("the engine needs %s, which the packages installed do not bring", programs(absent))
	}
	m.say("installed in %s", time.Since(started).Round(time.Second))
	return nil
}

func programs(needs []need) string {
	var names []string
	for _, n := range needs {
		names = append(names, n.program)
	}
	return strings.Join(names, ", ")
}

// packages returns the packages to install first: the client's own only when
// dockerd is there, whose package brings the client in most releases.
func packages(absent []need) []string {
	var names []string
	for _, n := range absent {
		if n.program != "docker" || absent[0].program != "dockerd" {
			names = append(names, n.pkg)
		}
	}
	return names
}

// aptInstall fetches the package lists first where there are none, and again
// where they are so old that a package is gone.
func aptInstall(ctx context.Context, apt string, pkgs []string) error {
	allow, err := denyServices(policyFile)
	if err != nil {
		return err
	}
	defer allow()
	install := append([]string{"install", "--yes", "--no-install-recommends"}, pkgs...)
	if lists, _ := filepath.Glob(listsPattern); len(lists) > 0 {
		if err := aptGet(ctx, apt, install...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	if err := aptGet(ctx, apt, "update"); err != nil {
		return err
	}
	return aptGet(ctx, apt, install...)
}

// aptGet waits for another run of apt to end.
func aptGet(ctx context.Context, apt string, args ...string) error {
	return retry.Until(ctx, lockBudget, func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, apt, append([]string{"-q", "-o", "DPkg::Lock::Timeout=60"}, args...)...)
		cmd.Env = with("DEBIAN_FRONTEND=noninteractive", "LC_ALL=C")
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		err = fmt.Errorf("running apt-get %s: %w\n%s", strings.Join(args, " "), err, tail(string(text), shownLines))
		if strings.Contains(string(text), "Could not get lock") {
			return err
		}
		return retry.Stop(err)
	})
}

// denyServices keeps packages from starting a dockerd of their own while they
// are installed (Debian's policy-rc.d), unless the host has a policy already.
func denyServices(file string) (allow func(), err error) {
	allow = func() { _ = os.Remove(file) }
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if errors.Is(err, fs.ErrExist) {
		if text, err := os.ReadFile(file); err == nil && string(text) == denial {
			return allow, nil // left by a command that was killed
		}
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("keeping packages from starting services: %w", err)
	}
	_, err = f.WriteString(denial)
	if err = errors.Join(err, f.Close()); err != nil {
		allow()
		return nil, fmt.Errorf("keeping packages from starting services: %w", err)
	}
	return allow, nil
}
