package kindenv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// Load puts local images into every node of the cluster, also when they were loaded before.
func (e *Environment) Load(ctx context.Context, images ...string) error {
	return redact.Error(e.exclusively(ctx, func(ctx context.Context, s *session) error {
		all, err := s.nodes(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return fmt.Errorf("load images into cluster %q: it does not exist; env:up makes it", s.name)
		}
		s.memory.about(all.control())
		ids, err := s.imageIDs(ctx, images)
		if err != nil {
			return err
		}
		return s.load(ctx, images, ids)
	}))
}

// loadMissing loads the images that were not loaded yet, or have changed since.
func (s *session) loadMissing(ctx context.Context, images []string) error {
	ids, err := s.imageIDs(ctx, images)
	if err != nil {
		return err
	}
	var missing []string
	for _, ref := range images {
		if ids[ref] == "" || s.memory.Loaded[ref] != ids[ref] {
			missing = append(missing, ref)
		}
	}
	return s.load(ctx, missing, ids)
}

// imageIDs looks the images up, so that one that is missing is named before
// any is loaded. An engine that can't be asked gives empty IDs.
func (s *session) imageIDs(ctx context.Context, images []string) (map[string]string, error) {
	ids := map[string]string{}
	for _, ref := range images {
		image, err := s.eng.Image(ctx, ref)
		if errors.Is(err, engine.ErrNotFound) {
			return nil, fmt.Errorf("image %q, to be loaded into the cluster, is not on the engine at %q: build or pull it first", ref, s.eng.Endpoint().Host)
		}
		if err != nil && !errors.Is(err, engine.ErrUnsupported) {
			return nil, fmt.Errorf("look for image %q: %w", ref, err)
		}
		ids[ref] = image.ID
	}
	return ids, nil
}

func (s *session) load(ctx context.Context, images []string, ids map[string]string) error {
	if len(images) == 0 {
		return nil
	}
	title := fmt.Sprintf("Loading %s 📦", strings.Join(images, ", "))
	return s.step(ctx, title, func(ctx context.Context, _ *progress.Step) error {
		d, err := s.kind(ctx)
		if err != nil {
			return err
		}
		if err := transfer(ctx, d, s.name, images); err != nil {
			return err
		}
		if s.memory.Loaded == nil {
			s.memory.Loaded = map[string]string{}
		}
		for _, ref := range images {
			s.memory.Loaded[ref] = ids[ref]
		}
		return s.memory.keep()
	})
}

// transfer streams the images from the engine into the nodes.
func transfer(ctx context.Context, d driver, cluster string, images []string) error {
	reader, writer := io.Pipe()
	return together(ctx,
		func(ctx context.Context) error {
			err := d.SaveImages(ctx, images, writer)
			_ = writer.CloseWithError(err)
			return err
		},
		func(ctx context.Context) error {
			err := d.LoadArchive(ctx, cluster, reader)
			_ = reader.CloseWithError(err)
			return err
		},
	)
}
