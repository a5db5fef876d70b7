package engine

// Kind is the kind of a container engine.
type Kind string

// The kinds of engine that kind can run on. Docker and Podman speak the Docker
// API; Containerd stands for engines that don't (nerdctl, finch).
const (
	Docker     Kind = "docker"
	Podman     Kind = "podman"
	Containerd Kind = "containerd"
)

// Endpoint describes an engine.
type Endpoint struct {
	Host     string // as dialled: unix:///run/docker.sock, tcp://…, ssh://…, npipe://…
	Kind     Kind
	Version  string // of the engine, such as 20.10.24
	OS       string // what the engine says it runs on, such as "Docker Desktop" or "Debian GNU/Linux 12 (bookworm)"
	Kernel   string // kernel release where containers run
	Rootless bool
	// Remote is true when containers run in another machine or in a VM, so
	// that the host's paths, and the containers' addresses, are not the client's.
	Remote bool
	// CgroupVersion is 1 or 2, or 0 when the engine does not say.
	CgroupVersion int
}
