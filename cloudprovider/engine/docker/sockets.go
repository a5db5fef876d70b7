package docker

import "path/filepath"

// sockets returns where Docker and Podman, and what brings them along in a VM,
// listen when nothing is configured. The engine's own place comes first, as in
// the docker command.
func (s surroundings) sockets() []candidate {
	if s.goos == "windows" {
		return []candidate{
			{host: "npipe:////./pipe/docker_engine", source: "Docker"},
			{host: "npipe:////./pipe/podman-machine-default", source: "Podman machine"},
		}
	}
	all := []candidate{{host: "unix:///var/run/docker.sock", source: "Docker"}}
	add := func(source, dir string, path ...string) {
		if dir != "" {
			all = append(all, candidate{host: "unix://" + filepath.Join(append([]string{dir}, path...)...), source: source})
		}
	}
	run := s.getenv("XDG_RUNTIME_DIR")
	add("rootless Docker", run, "docker.sock")
	add("Docker Desktop", s.home, ".docker", "run", "docker.sock")
	add("Docker Desktop on Linux", s.home, ".docker", "desktop", "docker.sock")
	add("Colima", s.home, ".colima", "default", "docker.sock")
	add("Rancher Desktop", s.home, ".rd", "docker.sock")
	add("OrbStack", s.home, ".orbstack", "run", "docker.sock")
	add("rootless Podman", run, "podman", "podman.sock")
	add("Podman", "/run/podman", "podman.sock")
	add("Podman machine", s.home, ".local", "share", "containers", "podman", "machine", "podman.sock")
	return all
}
