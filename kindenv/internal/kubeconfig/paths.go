package kubeconfig

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
)

// Paths returns the kubeconfig files of the user, as kubectl and kind find
// them: the list in KUBECONFIG without empty and repeated parts, else
// ~/.kube/config. env looks up environment variables as [os.Getenv] does.
// It returns none when neither KUBECONFIG nor a home folder is set.
func Paths(env func(string) string) []string {
	var paths []string
	for _, path := range filepath.SplitList(env("KUBECONFIG")) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		return paths
	}
	if home := cmp.Or(env("HOME"), env("USERPROFILE")); home != "" {
		return []string{filepath.Join(home, ".kube", "config")}
	}
	return nil
}

// defaultFile returns the file that gets new entries and the current context:
// the first that exists, else the last. That is kubectl's rule, said by its
// help for "config" ("When a value is created, it is created in the first file
// that exists. If no files in the chain exist, then it creates the last file in
// the list") and followed by kind.
func defaultFile(paths []string) string {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return paths[len(paths)-1]
}
