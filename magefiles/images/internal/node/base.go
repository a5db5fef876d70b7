package node

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/magefiles/images/internal/debian"
	"github.com/magekind/magekind/magefiles/images/internal/key"
	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/progress"
)

// suite is kept at Debian 12: its systemd is the last that boots on a host with
// version 1 of control groups without being asked to.
const suite = "bookworm"

// tools are what this machine needs to make a root file system and runc.
func tools() []debian.Tool {
	return []debian.Tool{
		{Package: "mmdebstrap", Path: "mmdebstrap"},
		{Package: "debian-archive-keyring", Path: "/usr/share/keyrings/debian-archive-keyring.gpg"},
		{Package: "zstd", Path: "zstd"},
		{Package: "gcc", Path: "gcc"},
		{Package: "libc6-dev", Path: "/usr/include/stdio.h"},
		{Package: "pkg-config", Path: "pkg-config"},
		{Package: "libseccomp-dev", Path: "/usr/include/seccomp.h"},
	}
}

// root is the root file system: the packages of kind's own image, without what
// only its other uses need (rootless engines, NFS and iSCSI volumes).
func root() debian.Base {
	const units = `"$1"/usr/lib/systemd/system`
	return debian.Base{
		Suite: suite,
		Packages: []string{
			"systemd", "usr-is-merged", // in place of usrmerge, which takes all of perl
			"conntrack", "iptables", "nftables", "iproute2", "ethtool", "util-linux", "mount", "kmod", "libseccomp2",
			"e2fsprogs", "bash", "ca-certificates", "curl", "jq", "procps",
		},
		Hooks: []string{
			// Nothing in a node runs perl, or converts character sets.
			`rm -rf "$1"/usr/lib/*-linux-gnu/perl-base "$1"/usr/bin/perl* "$1"/usr/lib/*-linux-gnu/gconv`,
			`rm -rf "$1"/var/cache/* "$1"/var/log/* "$1"/var/lib/apt`,
			// As kind does: units that make no sense in a node.
			`rm -f ` + units + `/sysinit.target.wants/systemd-tmpfiles-setup.service ` +
				units + `/multi-user.target.wants/* "$1"/etc/systemd/system/*.wants/* ` +
				units + `/local-fs.target.wants/* ` + units + `/sockets.target.wants/*udev* ` +
				units + `/sockets.target.wants/*initctl* ` + units + `/basic.target.wants/*`,
			`echo ReadKMsg=no >>"$1"/etc/systemd/journald.conf`,
			`test -e "$1"/sbin/init || ln -s /usr/lib/systemd/systemd "$1"/sbin/init`,
		},
	}
}

// base returns the layer with the root file system.
func (r recipe) base(ctx context.Context) (layer.File, error) {
	base := root()
	k := key.New(r.Arch(), fmt.Sprint(base))
	if err := k.Tree(r.Path("internal/debian")); err != nil {
		return layer.File{}, err
	}
	path, err := r.Results.Make("base", k.String(), func(path string) error {
		if err := r.Install(ctx, tools()...); err != nil {
			return err
		}
		return r.Step("make a root file system of Debian "+suite, func(*progress.Step) error {
			return base.Build(ctx, path)
		})
	})
	if err != nil {
		return layer.File{}, err
	}
	return layer.Read(path)
}
