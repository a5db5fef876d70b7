package kind_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// engineSaying puts a docker on PATH that answers kind's preparations, and
// fails to run a container by saying text.
func engineSaying(t *testing.T, text string) {
	t.Helper()
	script := `#!/bin/sh
case "$1" in
info) echo '{"CgroupVersion":"2","MemoryLimit":true,"PidsLimit":true,"CPUShares":true}' ;;
network) echo kind ;;
run) cat >&2 <<'END'
` + text + `
END
exit 125 ;;
esac
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestCreateExplainsFailures(t *testing.T) {
	tests := map[string]struct {
		output  string
		class   error
		wantAll []string
	}{
		"no capability": {
			output:  "docker: Error response from daemon: OCI runtime create failed: unable to apply caps: operation not permitted: unknown.",
			class:   kind.ErrPrivileged,
			wantAll: []string{`create cluster "x"`, "unable to apply caps", "bounding set", "VM that grants all"},
		},
		"port taken": {
			output:  "Bind for 127.0.0.1:8080 failed: port is already allocated.",
			wantAll: []string{"127.0.0.1:8080", "choose another host port"},
		},
		"full disk": {
			output:  "docker: Error response from daemon: write /var/lib/docker/overlay2/x-init/link: no space left on device",
			class:   engine.ErrNoSpace,
			wantAll: []string{"the engine's disk is full", "overlay2", "docker system df"},
		},
		"no more watches": {
			output:  "Failed to create /init.scope inotify watch: No space left on device: inotify_add_watch: no space left on device",
			wantAll: []string{"fs.inotify.max_user_watches"},
		},
		"unknown": {
			output:  "something else\nwith a second line",
			wantAll: []string{"docker run", "something else", "\twith a second line"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			engineSaying(t, tt.output)
			d, err := kind.New(kind.Docker, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Create(t.Context(), kind.CreateSpec{Name: "x", Image: "localhost/none:v1"})
			if err == nil {
				t.Fatal("Create = nil, want an error")
			}
			for _, want := range tt.wantAll {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error lacks %q:\n%v", want, err)
				}
			}
			if tt.class != nil && !errors.Is(err, tt.class) {
				t.Errorf("error is no %q: %v", tt.class, err)
			}
			var failed *kind.CommandError
			if !errors.As(err, &failed) {
				t.Fatalf("error is no CommandError: %T", err)
			}
			if got := strings.TrimSpace(failed.Output); got != tt.output {
				t.Errorf("Output = %q, want %q", got, tt.output)
			}
			if !strings.HasPrefix(failed.Command, "docker run ") {
				t.Errorf("Command = %q, want docker run …", failed.Command)
			}
		})
	}
}

func TestNewRefusesUnknownRuntime(t *testing.T) {
	t.Parallel()
	_, err := kind.New("lxc", nil)
	if err == nil || !strings.Contains(err.Error(), `"lxc"`) || !strings.Contains(err.Error(), "podman") {
		t.Errorf("New = %v, want an error that names the runtime and what is known", err)
	}
}

func TestAvailableNamesWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	d, err := kind.New(kind.Podman, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Available(); err == nil || !strings.Contains(err.Error(), `"podman"`) {
		t.Errorf("Available = %v, want an error that names podman", err)
	}
}
