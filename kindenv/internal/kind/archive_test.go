package kind_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// nodesTaking puts a docker on PATH that has a cluster of two nodes. Each keeps
// what is imported into it in the folder that is returned; take is the shell
// command that does it, with the node's name in $node.
func nodesTaking(t *testing.T, take string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	script := `#!/bin/sh
case "$1" in
ps) printf '%s\n' x-control-plane x-worker x-external-load-balancer ;;
inspect) for node; do :; done; echo "${node#x-}" ;;
exec)
	shift; [ "$1" = --privileged ] && shift; [ "$1" = -i ] && shift
	node=$1; shift
	case "$1" in
	containerd) printf "version = 3\n[plugins.'io.containerd.cri.v1.images']\nsnapshotter = 'native'\n" ;;
	ctr) echo "$@" > '` + folder + `'/$node.command; ` + take + ` ;;
	esac ;;
save) shift; printf 'archive of %s' "$*" ;;
esac
`
	path := filepath.Join(folder, "docker")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("FOLDER", folder)
	return folder
}

func newDriver(t *testing.T) *kind.Driver {
	t.Helper()
	d, err := kind.New(kind.Docker, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestLoadArchiveGivesEachNodeAllOfIt(t *testing.T) {
	folder := nodesTaking(t, `cat > "$FOLDER/$node.archive"`)
	archive := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	if err := newDriver(t).LoadArchive(t.Context(), "x", bytes.NewReader(archive)); err != nil {
		t.Fatal(err)
	}
	for _, node := range []string{"x-control-plane", "x-worker"} {
		got, err := os.ReadFile(filepath.Join(folder, node+".archive"))
		if err != nil || !bytes.Equal(got, archive) {
			t.Errorf("node %s got %d bytes (%v), want %d", node, len(got), err, len(archive))
		}
		command, err := os.ReadFile(filepath.Join(folder, node+".command"))
		if err != nil || !strings.Contains(string(command), "--snapshotter=native") || strings.Contains(string(command), "--all-platforms") {
			t.Errorf("node %s ran %q (%v), want the node's snapshotter and its platform alone", node, command, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "x-external-load-balancer.archive")); !os.IsNotExist(err) {
		t.Errorf("the load balancer was given images (%v)", err)
	}
}

func TestLoadArchiveToANodeThatStopsReading(t *testing.T) {
	nodesTaking(t, `head -c 10 > /dev/null`) // the padding at an archive's end is not read
	archive := bytes.Repeat([]byte("0"), 1<<20)
	if err := newDriver(t).LoadArchive(t.Context(), "x", bytes.NewReader(archive)); err != nil {
		t.Error(err)
	}
}

func TestLoadArchiveTellsWhichNodeFails(t *testing.T) {
	nodesTaking(t, `[ $node = x-worker ] && { echo no space left on device >&2; exit 1; }; cat > /dev/null`)
	archive := bytes.Repeat([]byte("0"), 1<<20)
	err := newDriver(t).LoadArchive(t.Context(), "x", bytes.NewReader(archive))
	if err == nil || !strings.Contains(err.Error(), `"x-worker"`) || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("LoadArchive = %v, want an error that names x-worker and tells its output", err)
	}
	if err := newDriver(t).LoadArchive(t.Context(), "x", failing{}); !errors.Is(err, errFailing) {
		t.Errorf("LoadArchive of what can't be read = %v, want %v", err, errFailing)
	}
}

var errFailing = errors.New("the archive can't be read")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errFailing }

func TestSaveImages(t *testing.T) {
	nodesTaking(t, "true")
	var out bytes.Buffer
	if err := newDriver(t).SaveImages(t.Context(), []string{"a:1", "b:2"}, &out); err != nil || out.String() != "archive of a:1 b:2" {
		t.Errorf("SaveImages = %v and wrote %q, want the archive of a:1 and b:2", err, out.String())
	}
}
