package kindenv_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// belongings are what there is of a project.
type belongings struct {
	containers map[string]engine.Container // by name
	files      map[string]string           // by path
	entries    map[string]any              // in the user's kubeconfig, by section
}

func (r *resident) look() (*belongings, error) {
	b := &belongings{containers: map[string]engine.Container{}, files: map[string]string{}, entries: r.entries("kind-" + r.name)}
	for _, c := range r.containers() {
		for _, label := range []string{kind.LabelCluster, cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
			if c.Labels[label] == r.name {
				b.containers[c.Name] = c
			}
		}
	}
	folders, err := filepath.Glob(filepath.Join(r.home, "cache", "*", r.name))
	for _, folder := range folders {
		err = errors.Join(err, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			b.files[path] = string(raw)
			return err
		}))
	}
	locks, globErr := filepath.Glob(filepath.Join(r.home, "cache", "locks", "*-"+r.name+"*"))
	for _, lock := range locks {
		if name := strings.TrimSuffix(filepath.Base(lock), ".holder"); strings.SplitN(name, "-", 2)[1] == r.name {
			b.files[lock] = "a lock"
		}
	}
	return b, errors.Join(err, globErr)
}

// entries are what the user's kubeconfig has under a name.
func (s *street) entries(name string) map[string]any {
	raw, err := os.ReadFile(filepath.Join(s.home, ".kube", "config"))
	var doc map[string]any
	if err = errors.Join(err, yaml.Unmarshal(raw, &doc)); err != nil {
		s.t.Errorf("the kubeconfig: %v\n%s", err, raw)
	}
	found := map[string]any{}
	for _, section := range []string{"clusters", "contexts", "users"} {
		list, _ := doc[section].([]any)
		for _, entry := range list {
			if one, ok := entry.(map[string]any); ok && one["name"] == name {
				found[section] = one
			}
		}
	}
	return found
}
