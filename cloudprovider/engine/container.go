package engine

import (
	"io/fs"
	"net/netip"
	"time"
)

// State is the state of a container, in the Docker API's words. A container
// that the engine is about to start again is [Restarting], or, on Podman, [Exited].
type State string

// The states of a container.
const (
	Created    State = "created"
	Running    State = "running"
	Paused     State = "paused"
	Restarting State = "restarting"
	Removing   State = "removing"
	Exited     State = "exited"
	Dead       State = "dead"
)

// Container describes a container.
type Container struct {
	ID     string
	Name   string            // without a leading slash
	Image  string            // the reference that it was created from
	Labels map[string]string // with those of the image; not nil
	// Hostname is what the container calls itself: the first 12 digits of its
	// ID unless it was given another. A later change of its name does not change it.
	Hostname string

	ImageID      string
	Command      []string // what it runs: the image's entrypoint, if any, and the arguments
	State        State
	ExitCode     int // of the last run
	RestartCount int
	OOMKilled    bool
	Error        string // why the last start failed, if it did
	CreatedAt    time.Time
	// StartedAt is when the last run began, zero if it never started. Engines
	// note it once the process is there: its first lines can be older.
	StartedAt time.Time
	// EndedAt is when a run last ended, zero if none has; in a container that
	// runs again it is earlier than StartedAt.
	EndedAt time.Time

	Networks []Attachment // sorted by network name
	Ports    []Port       // published ports, sorted by the container's port; engines drop them when it ends
}

// Exit is the end of a container's run.
type Exit struct {
	Code int
	OOM  bool // for want of memory
}

// Attachment is a container's place in a network.
type Attachment struct {
	Network   string
	NetworkID string     // empty in a container that does not run; Podman may repeat the name
	IPv4      netip.Addr // invalid when it has none, as in a container that does not run
	IPv6      netip.Addr
}

// Port is a published port.
type Port struct {
	Host          netip.AddrPort // where it is reached, as the engine reports it
	ContainerPort uint16
	Protocol      string // tcp, udp or sctp
}

// Spec describes a container to create.
type Spec struct {
	Name    string
	Image   string   // a local reference or ID
	Command []string // arguments to the image's entrypoint; empty: the image's own
	Env     []string // KEY=value
	Labels  map[string]string
	User    string // user[:group]; empty: the image's own
	Network string // network to join; empty: the engine's default; or [NoNetwork]
	Mounts  []Mount
	Files   []File // copied in before the first start
	Restart RestartPolicy

	// ReadOnly makes the root file system read-only. Each folder that gets one of
	// Files is then a volume of the container's own, removed with it: engines copy
	// nothing into a read-only file system. It has what the image has there, and
	// can't be "/".
	ReadOnly bool
	// Unprivileged takes every capability from the container's processes, those of
	// user 0 too, and lets no program gain any, such as a set-user-ID one.
	Unprivileged bool
}

// NoNetwork is the Network of a container that has none but its own loopback.
const NoNetwork = "none"

// Mount is a bind mount. Source is resolved by the engine's daemon, not by the client.
type Mount struct {
	Source, Target string
	ReadOnly       bool
}

// File is a regular file to put into a container. Missing parent folders are
// made with mode 0755, owned by root.
type File struct {
	Path    string      // absolute, slash-separated, clean
	Mode    fs.FileMode // the permission bits; none: 0644
	Content []byte
}

// RestartPolicy says when the engine restarts a container by itself.
type RestartPolicy string

// The restart policies in use.
const (
	RestartNo            RestartPolicy = ""
	RestartUnlessStopped RestartPolicy = "unless-stopped"
)

// Image describes a local image.
type Image struct {
	ID     string
	Labels map[string]string
}

// PullProgress is one step of a pull.
type PullProgress struct {
	Layer          string // the layer's short ID; empty for the image as a whole
	Status         string
	Current, Total int64 // bytes; zero where the engine does not say
}

// LogOptions says which part of a container's output to stream.
type LogOptions struct {
	Follow bool
	Tail   int       // that many last lines first; 0 or less: all
	Since  time.Time // zero: from the start
	Until  time.Time // zero: to the end; not with Follow
}
