//go:build integration

package docker_test

import (
	"context"
	"testing"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/volume"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/docker"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

// TestVolumesOfAReadOnlyContainerGoWithIt is about the volumes that Create makes
// for the files: the one thing of a container that could outlive it.
func TestVolumesOfAReadOnlyContainerGoWithIt(t *testing.T) {
	t.Parallel()
	e := open(t)
	name, labels := unique()
	spec := engine.Spec{
		Name: name, Image: suiteImage(t, e), Labels: labels, Command: []string{"wait"}, ReadOnly: true,
		Files: []engine.File{{Path: "/a/b"}, {Path: "/c/d"}},
	}
	id, err := e.Create(t.Context(), spec)
	check(t, err)
	t.Cleanup(func() { _ = e.Remove(context.Background(), id) })
	check(t, e.Start(t.Context(), id))
	if got := volumes(t, e, labels[enginetest.SuiteLabel]); len(got) != 2 {
		t.Errorf("got volumes %q, want one for each folder", got)
	}
	check(t, e.Remove(t.Context(), id))
	spec.Files = append(spec.Files, engine.File{Path: "/program/no/folder"})
	if _, err := e.Create(t.Context(), spec); err == nil {
		t.Error("Create with a file below a file: got no error")
	}
	if got := volumes(t, e, labels[enginetest.SuiteLabel]); len(got) != 0 {
		t.Errorf("got volumes %q, want none any more", got)
	}
}

// volumes returns the names of the volumes that a check has made.
func volumes(t *testing.T, e *docker.Engine, mark string) []string {
	t.Helper()
	found, err := e.API().VolumeList(t.Context(), volume.ListOptions{
		Filters: filters.NewArgs(filters.Arg("label", enginetest.SuiteLabel+"="+mark)),
	})
	check(t, err)
	var names []string
	for _, v := range found.Volumes {
		names = append(names, v.Name)
	}
	return names
}
