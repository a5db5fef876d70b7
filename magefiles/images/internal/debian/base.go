package debian

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/magekind/magekind/magefiles/images/internal/command"
)

// Base is a root file system made of Debian's packages.
type Base struct {
	Suite    string   // such as "bookworm"
	Packages []string // beside the essential ones
	Hooks    []string // shell commands run at the end, with the root folder as $1
}

// Build writes the root file system to the tar file path.
func (b Base) Build(ctx context.Context, path string) error {
	args := []string{
		"--mode=root", "--format=tar", "--variant=essential",
		"--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
		`--aptopt=APT::Install-Recommends "false"`,
	}
	for _, folder := range []string{"man", "doc", "doc-base", "locale", "info", "lintian", "bash-completion"} {
		args = append(args, "--dpkgopt=path-exclude=/usr/share/"+folder+"/*")
	}
	args = append(args, "--include="+strings.Join(b.Packages, ","))
	for _, hook := range b.Hooks {
		args = append(args, "--customize-hook="+hook)
	}
	cmd := command.New(ctx, "mmdebstrap", append(args, b.Suite, path)...)
	mirror, security := mirrors(sourceFiles())
	args = []string{
		line(mirror, b.Suite), line(mirror, b.Suite+"-updates"), line(security, b.Suite+"-security"),
	}
	cmd.Args = append(cmd.Args, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make a root file system of Debian %s: %w\n%s", b.Suite, err, tail(out))
	}
	return nil
}

// keyring has the keys that Debian signs with; its package is debian-archive-keyring.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

func line(uri, suite string) string {
	return fmt.Sprintf("deb [signed-by=%s] %s %s main", keyring, uri, suite)
}
