package enginetest

import (
	"context"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// absentImage is in a registry where nobody listens.
const absentImage = "localhost:1/magekind/absent:none"

func imageChecks() []check {
	return []check{
		{"an absent image is not found", func(t *testing.T, b *bench) {
			_, err := b.Engine.Image(t.Context(), absentImage)
			wants(t, "Image", err, engine.ErrNotFound)
		}},
		{"an image is described, by reference and by ID", describesImage},
		{"a failed pull is an error", pullFails},
		{"a malformed reference is refused", pullRefuses},
	}
}

func describesImage(t *testing.T, b *bench) {
	image, err := b.Engine.Image(t.Context(), b.Image)
	must(t, "Image", err)
	if image.Labels[SuiteLabel] == "" {
		t.Errorf("labels: got %v, want %s", image.Labels, SuiteLabel)
	}
	if !strings.HasPrefix(image.ID, "sha256:") {
		t.Errorf("ID: got %q, want sha256:…", image.ID)
	}
	again, err := b.Engine.Image(t.Context(), image.ID)
	must(t, "Image by ID", err)
	same(t, "ID", again.ID, image.ID)
}

func pullFails(t *testing.T, b *bench) {
	if err := b.Engine.Pull(t.Context(), absentImage, nil); err == nil {
		t.Error("Pull of an image that is nowhere: got no error")
	} else if !strings.Contains(err.Error(), absentImage) {
		t.Errorf("got %q, want the image's name in it", err)
	}
	_, err := b.Engine.Image(t.Context(), absentImage)
	wants(t, "Image after the pull", err, engine.ErrNotFound)
}

func pullRefuses(t *testing.T, b *bench) {
	if err := b.Engine.Pull(t.Context(), "Not A Reference", nil); err == nil {
		t.Error("Pull: got no error")
	}
	if _, err := b.Engine.Image(t.Context(), "Not A Reference"); err == nil {
		t.Error("Image: got no error")
	}
}

func networkChecks() []check {
	return []check{
		{"a network is found by its exact name", findsNetwork},
		{"an absent network has no ID, which is no error", findsNoNetwork},
	}
}

func findsNetwork(t *testing.T, b *bench) {
	ids, err := b.Engine.NetworkIDs(t.Context(), b.Network)
	must(t, "NetworkIDs", err)
	if len(ids) != 1 || ids[0] == "" {
		t.Errorf("got %q, want one ID", ids)
	}
}

func findsNoNetwork(t *testing.T, b *bench) {
	for _, name := range []string{"magekind-contract-absent", b.Network[:len(b.Network)-1], b.Network[1:]} {
		ids, err := b.Engine.NetworkIDs(t.Context(), name)
		must(t, "NetworkIDs", err)
		if len(ids) != 0 {
			t.Errorf("%q: got %q, want none", name, ids)
		}
	}
}

func cancelChecks() []check {
	call := func(name string, do func(ctx context.Context, b *bench, id string) error) check {
		return check{name + " does nothing once ctx is done", func(t *testing.T, b *bench) {
			id := b.create(t, b.spec("wait"))
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			wants(t, name, do(ctx, b, id), context.Canceled)
			same(t, "state", b.get(t, id).State, engine.Created)
			same(t, "containers", len(b.list(t, nil)), 1)
		}}
	}
	return []check{
		call("List", func(ctx context.Context, b *bench, _ string) error { _, err := b.Engine.List(ctx, nil); return err }),
		call("Create", func(ctx context.Context, b *bench, _ string) error {
			_, err := b.Engine.Create(ctx, b.spec("wait"))
			return err
		}),
		call("Start", func(ctx context.Context, b *bench, id string) error { return b.Engine.Start(ctx, id) }),
		call("Stop", func(ctx context.Context, b *bench, id string) error { return b.Engine.Stop(ctx, id, grace) }),
		call("Kill", func(ctx context.Context, b *bench, id string) error { return b.Engine.Kill(ctx, id) }),
		call("Remove", func(ctx context.Context, b *bench, id string) error { return b.Engine.Remove(ctx, id) }),
		call("Image", func(ctx context.Context, b *bench, _ string) error {
			_, err := b.Engine.Image(ctx, b.Image)
			return err
		}),
		call("Pull", func(ctx context.Context, b *bench, _ string) error { return b.Engine.Pull(ctx, absentImage, nil) }),
		call("NetworkIDs", func(ctx context.Context, b *bench, _ string) error {
			_, err := b.Engine.NetworkIDs(ctx, b.Network)
			return err
		}),
	}
}
