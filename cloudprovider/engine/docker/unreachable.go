package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// attempt is a candidate that is no good, and why.
type attempt struct {
	candidate
	err error
}

// unreachable explains that no engine can be used: what was tried, why each
// failed, and what to do about it. other is an engine that is there but was not asked for.
func unreachable(goos string, failed []attempt, other *engine.Endpoint) error {
	var text strings.Builder
	text.WriteString("no container engine can be used; tried")
	denied := false
	causes := []error{engine.ErrUnavailable}
	for _, a := range failed {
		where := redact.URL(a.host)
		if where == "" {
			where = "(no endpoint)"
		}
		fmt.Fprintf(&text, "\n  %s (%s): %v", where, a.source, redact.Error(a.err))
		denied = denied || errors.Is(a.err, fs.ErrPermission)
		causes = append(causes, a.err)
	}
	if other != nil {
		fmt.Fprintf(&text, "\nto use %s %s instead, set DOCKER_HOST=%s", other.Kind, other.Version, redact.URL(other.Host))
	}
	if denied {
		text.WriteString("\nwhere permission is denied, join the socket's group (sudo usermod -aG docker \"$USER\", then log in again)")
	}
	text.WriteString("\n" + howToStart(goos))
	return &unavailable{text: text.String(), causes: causes}
}

// howToRevive says what to do about an engine that is there and does not answer.
func howToRevive(goos string) string {
	switch goos {
	case "darwin":
		return "if `docker version` hangs too, restart it: quit and open Docker Desktop, colima restart, or podman machine stop and start"
	case "windows":
		return "if `docker version` hangs too, restart it: Docker Desktop from its tray icon, or podman machine stop and start"
	}
	return "if `docker version` hangs too, restart it: sudo systemctl restart docker (rootless: systemctl --user restart docker), " +
		"or systemctl --user restart podman.socket"
}

func howToStart(goos string) string {
	switch goos {
	case "darwin":
		return "start one: open -a Docker, colima start, or podman machine start"
	case "windows":
		return "start one: Docker Desktop from the Start menu, or podman machine start"
	}
	return "start one: sudo systemctl start docker (rootless: systemctl --user start docker), " +
		"or systemctl --user start podman.socket; or set DOCKER_HOST to one that runs"
}

// unavailable keeps the causes apart from the text that lists them.
type unavailable struct {
	text   string
	causes []error
}

func (u *unavailable) Error() string   { return u.text }
func (u *unavailable) Unwrap() []error { return u.causes }
