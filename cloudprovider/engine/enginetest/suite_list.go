package enginetest

import (
	"slices"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

func listChecks() []check {
	return []check{
		{"nothing carries an unknown label", listsNothing},
		{"a label's value is matched exactly", listsByValue},
		{"a label without a value matches any value", listsByKey},
		{"every label wanted must be there", listsByAll},
		{"containers that do not run are listed, sorted by name", listsSorted},
		{"a container is described before it runs", describesCreated},
		{"a container is described while it runs", describesRunning},
		{"a container is described after its end", describesExited},
		{"a container has its image's labels too", inheritsLabels},
		{"a survey tells of all containers in short", surveys},
	}
}

func listsNothing(t *testing.T, b *bench) {
	b.create(t, b.spec("wait"))
	found, err := b.Engine.List(t.Context(), map[string]string{SuiteLabel + ".absent": ""})
	must(t, "List", err)
	same(t, "containers", names(found), "")
}

func listsByValue(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Labels["cluster"] = "demo"
	b.create(t, spec)
	other := b.spec("wait")
	other.Labels["cluster"] = "demo-2"
	b.create(t, other)
	same(t, "with cluster=demo", names(b.list(t, map[string]string{"cluster": "demo"})), spec.Name)
	same(t, "with cluster=dem", names(b.list(t, map[string]string{"cluster": "dem"})), "")
}

func listsByKey(t *testing.T, b *bench) {
	var want []string
	for _, value := range []string{"", "demo", "other"} {
		spec := b.spec("wait")
		spec.Labels["cluster"] = value
		b.create(t, spec)
		want = append(want, spec.Name)
	}
	b.create(t, b.spec("wait"))
	slices.Sort(want)
	var got []string
	for _, c := range b.list(t, map[string]string{"cluster": ""}) {
		got = append(got, c.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("with any cluster: got %v, want %v", got, want)
	}
}

func listsByAll(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Labels["cluster"], spec.Labels["role"] = "demo", "proxy"
	b.create(t, spec)
	same(t, "both", names(b.list(t, map[string]string{"cluster": "demo", "role": "proxy"})), spec.Name)
	same(t, "one is missing", names(b.list(t, map[string]string{"cluster": "demo", "zone": ""})), "")
}

func listsSorted(t *testing.T, b *bench) {
	first, second := b.spec("wait"), b.spec("exit=0")
	first.Name, second.Name = second.Name+"-b", second.Name+"-a"
	b.create(t, first)
	ended := b.create(t, second)
	must(t, "Start", b.Engine.Start(t.Context(), ended))
	b.exited(t, ended)
	same(t, "names", names(b.list(t, nil)), second.Name+" "+first.Name)
}

func describesCreated(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Network = b.Network
	c := b.get(t, b.create(t, spec))
	image, err := b.Engine.Image(t.Context(), b.Image)
	must(t, "Image", err)
	same(t, "state", c.State, engine.Created)
	same(t, "name", c.Name, spec.Name)
	same(t, "hostname", c.Hostname, c.ID[:12])
	same(t, "image", c.Image, b.Image)
	same(t, "image ID", c.ImageID, image.ID)
	same(t, "command ends with the arguments", slices.Equal(c.Command[max(0, len(c.Command)-1):], spec.Command), true)
	same(t, "label", c.Labels[SuiteLabel], b.mark)
	same(t, "created at a time", c.CreatedAt.IsZero(), false)
	same(t, "never started", c.StartedAt.IsZero(), true)
	same(t, "never ended", c.EndedAt.IsZero(), true)
	same(t, "restarts", c.RestartCount, 0)
}

func describesRunning(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Network = b.Network
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.get(t, id)
	same(t, "state", c.State, engine.Running)
	same(t, "started after it was created", c.StartedAt.Before(c.CreatedAt), false)
	if len(c.Networks) != 1 || c.Networks[0].Network != b.Network || !c.Networks[0].IPv4.Is4() {
		t.Fatalf("networks: got %+v, want an IPv4 address in %q only", c.Networks, b.Network)
	}
	ids, err := b.Engine.NetworkIDs(t.Context(), b.Network)
	must(t, "NetworkIDs", err)
	if at := c.Networks[0]; !slices.Contains(append(ids, b.Network), at.NetworkID) {
		t.Errorf("networks: got %+v, want one of %q", c.Networks, ids)
	}
}

func describesExited(t *testing.T, b *bench) {
	spec := b.spec("exit=7")
	spec.Network = b.Network
	id := b.create(t, spec)
	must(t, "Start", b.Engine.Start(t.Context(), id))
	c := b.exited(t, id)
	same(t, "exit code", c.ExitCode, 7)
	same(t, "started at a time", c.StartedAt.IsZero(), false)
	same(t, "ended after it was created", c.EndedAt.After(c.CreatedAt), true)
	for _, at := range c.Networks {
		same(t, "it still has an address", at.IPv4.IsValid(), false)
	}
}

func inheritsLabels(t *testing.T, b *bench) {
	spec := b.spec("wait")
	spec.Labels = map[string]string{"own": b.mark}
	id := b.create(t, spec)
	found, err := b.Engine.List(t.Context(), map[string]string{"own": b.mark, SuiteLabel: ""})
	must(t, "List", err)
	if len(found) != 1 || found[0].ID != id {
		t.Errorf("got %v, want the container by the label that its image has", names(found))
	}
}
