package kindenv

import (
	"os"
	"path/filepath"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// Kubeconfig returns the path of the environment's own kubeconfig, which is
// there once Up has made the cluster.
func (e *Environment) Kubeconfig() string {
	if e.cfg.Kubeconfig != "" {
		return e.cfg.Kubeconfig
	}
	return filepath.Join(e.folder(), "kubeconfig")
}

func (e *Environment) memoryFile() string { return filepath.Join(e.folder(), "memory.json") }

// folder is where the environment keeps what it has to remember on this
// machine: apart for each engine and each cluster. Where no engine was named or
// found yet, it is that of the one engine which has such a folder.
func (e *Environment) folder() string {
	if host := e.found.Load(); host != nil {
		return e.folderOn(*host)
	}
	for _, host := range []string{e.cfg.Host, e.deps.env("DOCKER_HOST")} {
		if host != "" {
			return e.folderOn(host)
		}
	}
	if there := e.folders(); len(there) == 1 {
		return there[0]
	}
	return e.folderOn("unix:///var/run/docker.sock")
}

func (e *Environment) folderOn(host string) string {
	return filepath.Join(e.deps.cacheDir(), digest(sameHost(host)), e.name)
}

// folders are those of all engines that are there.
func (e *Environment) folders() []string {
	entries, err := os.ReadDir(e.deps.cacheDir())
	if err != nil {
		return nil
	}
	var there []string
	for _, entry := range entries {
		if !isDigest(entry.Name()) {
			continue // of another use
		}
		path := filepath.Join(e.deps.cacheDir(), entry.Name(), e.name)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			there = append(there, path)
		}
	}
	return there
}

// foundEngine settles whose folder it is.
func (e *Environment) foundEngine(at engine.Endpoint) {
	host := at.Host
	e.found.Store(&host)
}

// takeOver moves the folder that the environment has under another spelling of
// its engine's socket: from before that was a link. The lock is held.
func (e *Environment) takeOver(host string) error {
	path, ok := socketOf(host)
	former := filepath.Join(e.deps.cacheDir(), digest("unix://"+path), e.name)
	if !ok || former == e.folderOn(host) {
		return nil
	}
	if _, err := os.Stat(former); err != nil {
		return nil //nolint:nilerr // as almost always
	}
	if err := os.MkdirAll(filepath.Dir(e.folderOn(host)), 0o700); err != nil {
		return err
	}
	if err := os.Rename(former, e.folderOn(host)); err != nil { // there is one already
		if err := os.RemoveAll(former); err != nil {
			return err
		}
	}
	return goneIfEmpty(filepath.Dir(former))
}

// userCache is the folder for this module's files under the user's cache folder.
func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil { // no home folder
		return filepath.Join(os.TempDir(), "magekind"+user())
	}
	return filepath.Join(dir, "magekind")
}
