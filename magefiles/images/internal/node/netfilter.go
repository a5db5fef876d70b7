package node

import (
	"path/filepath"

	"github.com/magekind/magekind/magefiles/images/internal/layer"
	"github.com/magekind/magekind/magefiles/images/internal/tarball"
)

// fillNetfilter adds what kube-proxy runs: the packet filter's programs in both
// flavours, and the script that takes the flavour of the node.
func (r recipe) fillNetfilter(tree *layer.Tree, debian *tarball.Tarball) error {
	programs := []string{
		"usr/sbin/xtables-nft-multi", "usr/sbin/xtables-legacy-multi", "usr/sbin/nft", "usr/sbin/conntrack", "usr/bin/dash",
	}
	// The filter's extensions are loaded while it runs: one of them needs a
	// library that the programs do not, and without it kube-proxy fails only when
	// a service has a second endpoint.
	extensions, err := debian.Glob("usr/lib/*/xtables/*.so")
	if err != nil {
		return err
	}
	files, err := debian.Programs(append(programs, extensions...)...)
	if err != nil {
		return err
	}
	for _, file := range files {
		add(tree, file)
	}
	for _, folder := range []string{"bin", "lib", "lib64", "sbin"} {
		tree.Link(folder, "usr/"+folder)
	}
	tree.Link("usr/bin/sh", "dash")
	for _, flavour := range []string{"nft", "legacy"} {
		for _, command := range []string{"iptables", "ip6tables"} {
			for _, suffix := range []string{"", "-save", "-restore"} {
				tree.Link("opt/"+flavour+"/"+command+suffix, "/usr/sbin/xtables-"+flavour+"-multi")
			}
		}
	}
	return tree.File("usr/local/bin/kube-proxy", 0o755, filepath.Join(r.Path(source), proxyFiles, "kube-proxy"))
}
