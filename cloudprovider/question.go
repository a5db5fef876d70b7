package cloudprovider

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

// questionBudget is for an image to name its proxy image.
const questionBudget = 30 * time.Second

// ask runs the controller's image once with list-images and returns what it prints.
func (c *Controller) ask(ctx context.Context, ref string) (output string, err error) {
	streamer, ok := c.eng.(engine.LogStreamer)
	if !ok {
		return "", errors.New("this engine does not stream logs")
	}
	defer func() { // by label: its ID may never have been told
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBudget)
		defer cancel()
		err = errors.Join(err, c.removeQuestions(ctx))
	}()
	id, err := c.eng.Create(ctx, engine.Spec{
		Name:    c.name() + "-list-images-" + rand.Text()[:8],
		Image:   ref,
		Command: []string{"list-images"},
		Labels:  c.ownLabels(roleQuestion),
		// it answers out of itself
		Network:      engine.NoNetwork,
		ReadOnly:     true,
		Unprivileged: true,
	})
	if err != nil {
		return "", err
	}
	if err := c.eng.Start(ctx, id); err != nil {
		return "", err
	}
	return c.answer(ctx, streamer, id)
}

// answer waits for the container's end and returns what it printed.
func (c *Controller) answer(ctx context.Context, streamer engine.LogStreamer, id string) (string, error) {
	var out bytes.Buffer
	limited, cancel := context.WithTimeout(ctx, questionBudget)
	defer cancel()
	if err := streamer.Logs(limited, id, engine.LogOptions{Follow: true}, &out); err != nil {
		return "", fmt.Errorf("reading its answer: %w", err)
	}
	code, err := c.exitCode(limited, id)
	if err != nil {
		return "", err
	}
	if code != 0 {
		return "", fmt.Errorf("it exited with code %d; %s", code, parseJournal(out.String()).evidence(fullView))
	}
	return out.String(), nil
}

// exitCode waits for the engine to note the end, a moment after the log's.
func (c *Controller) exitCode(ctx context.Context, id string) (code int, err error) {
	err = retry.Until(ctx, questionBudget, func(ctx context.Context) error {
		listed, err := c.questions(ctx)
		if err != nil {
			return err
		}
		for _, container := range listed {
			if container.ID == id && container.State == engine.Exited {
				code = container.ExitCode
				return nil
			}
		}
		return errors.New("its container has not exited")
	})
	return code, err
}

// questions lists the containers that ask for an image's name, also ones that a
// killed process left.
func (c *Controller) questions(ctx context.Context) ([]engine.Container, error) {
	listed, err := c.listExactly(ctx, c.ownLabels(roleQuestion))
	if err != nil {
		return nil, fmt.Errorf("looking for containers that tell an image's name: %w", err)
	}
	return listed, nil
}

func (c *Controller) removeQuestions(ctx context.Context) error {
	listed, err := c.questions(ctx)
	if err != nil {
		return err
	}
	return c.removeAll(ctx, listed)
}
