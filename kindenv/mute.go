package kindenv

import (
	"context"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// mute stands for an engine that does not speak the Docker API (nerdctl,
// finch). kind can use it through its command; we can't ask it anything.
type mute struct{ runtime string }

var _ engine.Engine = mute{}

// Endpoint tells that the engine is containerd.
func (m mute) Endpoint() engine.Endpoint {
	return engine.Endpoint{Host: m.runtime, Kind: engine.Containerd}
}

func (m mute) refuse() error {
	return fmt.Errorf("%w: %s does not speak the Docker API", engine.ErrUnsupported, m.runtime)
}

func (m mute) List(context.Context, map[string]string) ([]engine.Container, error) {
	return nil, m.refuse()
}

func (m mute) Create(context.Context, engine.Spec) (string, error)           { return "", m.refuse() }
func (m mute) Start(context.Context, string) error                           { return m.refuse() }
func (m mute) Stop(context.Context, string, time.Duration) error             { return m.refuse() }
func (m mute) Kill(context.Context, string) error                            { return m.refuse() }
func (m mute) Remove(context.Context, string) error                          { return m.refuse() }
func (m mute) Image(context.Context, string) (engine.Image, error)           { return engine.Image{}, m.refuse() }
func (m mute) Pull(context.Context, string, func(engine.PullProgress)) error { return m.refuse() }
func (m mute) NetworkIDs(context.Context, string) ([]string, error)          { return nil, m.refuse() }
