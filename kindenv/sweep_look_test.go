package kindenv_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
)

// snapshot is all that there is: containers with their networks, and files.
type snapshot struct {
	containers map[string]engine.Container // by name
	files      map[string]string           // mode and content, by path
	entries    []any                       // the neighbour's in the user's kubeconfig
}

func (e *estate) look() snapshot {
	e.t.Helper()
	s := snapshot{containers: map[string]engine.Container{}, files: map[string]string{}}
	for _, container := range e.containers() {
		s.containers[container.Name] = container
	}
	for _, root := range []string{e.home, e.project} {
		if err := filepath.WalkDir(root, s.add); err != nil {
			e.t.Fatal(err)
		}
	}
	s.entries = e.neighboursEntries()
	return s
}

// add adds a file or folder that belongs to somebody.
func (s snapshot) add(path string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if strings.HasPrefix(entry.Name(), cachedAnswer) {
		return nil
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	text := info.Mode().String()
	if info.Mode().IsRegular() {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text += " " + string(raw)
	}
	s.files[path] = text
	return nil
}

// neighboursEntries are what the user's kubeconfig has of the neighbour.
func (e *estate) neighboursEntries() []any {
	raw, err := os.ReadFile(filepath.Join(e.home, ".kube", "config"))
	if err != nil {
		e.t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		e.t.Fatal(err)
	}
	var found []any
	for _, section := range []string{"clusters", "contexts", "users"} {
		list, _ := doc[section].([]any)
		for _, entry := range list {
			if one, ok := entry.(map[string]any); ok && one["name"] == "kind-"+neighbour {
				found = append(found, one)
			}
		}
	}
	return found
}

// nothingLeft returns an error about whatever there is of x.
func (e *estate) nothingLeft() error {
	now := e.look()
	return errors.Join(
		differences("container", e.before.containers, now.containers),
		differences("file", e.before.files, now.files),
		e.neighbourIsWell(now),
	)
}

// neighbourIsWell returns an error about what has changed and is not x's.
func (e *estate) neighbourIsWell(now snapshot) error {
	others := maps.Clone(now.containers)
	maps.DeleteFunc(others, func(_ string, c engine.Container) bool { return ofX(c) })
	err := differences("container of others", e.before.containers, others)
	if !reflect.DeepEqual(now.entries, e.before.entries) {
		err = errors.Join(err, fmt.Errorf("the neighbour's kubeconfig entries are %v, were %v", now.entries, e.before.entries))
	}
	return errors.Join(err, differences("file of others", ofNeighbour(e.before.files), ofNeighbour(now.files)))
}

func ofNeighbour(files map[string]string) map[string]string {
	some := maps.Clone(files)
	maps.DeleteFunc(some, func(path, _ string) bool { return filepath.Base(filepath.Dir(path)) != neighbour })
	return some
}

func differences[T any](what string, before, now map[string]T) error {
	var errs []error
	all := maps.Clone(before)
	maps.Copy(all, now)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		was, had := before[key]
		is, has := now[key]
		switch {
		case !had:
			errs = append(errs, fmt.Errorf("%s %s is left: %.300v", what, key, is))
		case !has:
			errs = append(errs, fmt.Errorf("%s %s is gone", what, key))
		case !reflect.DeepEqual(was, is):
			errs = append(errs, fmt.Errorf("%s %s has changed: %.500v\nwas: %.500v", what, key, is, was))
		}
	}
	return errors.Join(errs...)
}

// leftAlone returns an error about calls that change what is not x's, and about others' things that have changed.
func (e *estate) leftAlone(calls []string) error {
	var errs []error
	for _, call := range calls {
		name, ok := changes(call)
		if _, others := e.before.containers[name]; ok && others {
			errs = append(errs, fmt.Errorf("call %q touches what is not x's", call))
		}
	}
	return errors.Join(append(errs, e.neighbourIsWell(e.look()))...)
}

// ready returns an error unless x is up, with nodes of these roles.
func (e *estate) ready(roles []string) error {
	var status kindenv.Status
	err := e.run(e.t.Context(), "x", kindtest.NewFaults(), func(env *kindenv.Environment, ctx context.Context) (err error) {
		status, err = env.Status(ctx)
		if _, stat := os.Stat(env.Kubeconfig()); stat != nil {
			err = errors.Join(err, stat)
		}
		return err
	})
	if err != nil {
		return err
	}
	if !status.Exists || status.API != "ready" || !status.Serves || !status.Merged {
		return fmt.Errorf("it is not ready: %+v", status)
	}
	want := []string{"kindccm-gw-x", "kindccm-svc-x", "x-cloud-provider", "x-control-plane"}
	if slices.Contains(roles, kind.RoleWorker) {
		want = append(want, "x-worker")
	}
	var names []string
	for _, c := range e.containers() {
		if !ofX(c) {
			continue
		}
		names = append(names, c.Name)
		if c.State != engine.Running {
			return fmt.Errorf("%s is %s", c.Name, c.State)
		}
	}
	if !slices.Equal(names, want) {
		return fmt.Errorf("containers are %s, want %s", names, want)
	}
	return nil
}
