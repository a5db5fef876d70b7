package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/docker/docker/api/types/image"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// Pull implements [engine.Images].
func (e *Engine) Pull(ctx context.Context, ref string, progress func(engine.PullProgress)) error {
	auth, secrets, authErr := credentials(ref)
	// Most images need no credentials: a helper that is broken is a reason to
	// fail only when the pull fails too.
	err := redact.Error(e.pull(ctx, ref, auth, progress), secrets...) // registries may say what they refuse
	switch {
	case err == nil:
		return nil
	case authErr != nil:
		return fmt.Errorf("pulling image %q without credentials: %w (%w)", ref, err, authErr)
	}
	return fmt.Errorf("pulling image %q: %w", ref, err)
}

func (e *Engine) pull(ctx context.Context, ref, auth string, progress func(engine.PullProgress)) error {
	watch := e.watch(ctx, e.limits.pull)
	defer watch.end()
	stream, err := e.api.ImagePull(watch.ctx, ref, image.PullOptions{RegistryAuth: auth})
	if err != nil {
		return watch.explain(ctx, err)
	}
	defer stream.Close()
	return watch.explain(ctx, decode(watch.reader(stream), progress))
}

// event is one message in the body of a pull's response. The response's status
// is decided before the first layer: what fails later is only said here.
type event struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Progress struct {
		Current int64 `json:"current"`
		Total   int64 `json:"total"`
	} `json:"progressDetail"`
	Error  string `json:"error"`
	Detail struct {
		Message string `json:"message"`
	} `json:"errorDetail"`
}

// decode reads a pull's messages to their end, and returns the failure that they report.
func decode(stream io.Reader, progress func(engine.PullProgress)) error {
	messages := json.NewDecoder(stream)
	for {
		var e event
		err := messages.Decode(&e)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading the engine's progress messages: %w", err)
		case e.Detail.Message != "":
			return errors.New(e.Detail.Message)
		case e.Error != "":
			return errors.New(e.Error)
		case progress != nil:
			progress(engine.PullProgress{Layer: e.ID, Status: e.Status, Current: e.Progress.Current, Total: e.Progress.Total})
		}
	}
}
