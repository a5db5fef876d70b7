package kindenv

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/redact"
	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/logs"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// recentLines is how much of each source comes before what follows.
const recentLines = 50

// Logs writes the logs of the cloud provider, of its load balancers, and the
// journals of the control-plane nodes to out, each line behind the name of its
// source: the last 50 lines of each, and then what follows, until ctx is done,
// when it returns nil. Containers that appear later are followed too; when there
// is none yet, that is said in Config.Out. It stops nothing.
func (e *Environment) Logs(ctx context.Context, out io.Writer) error {
	return redact.Error(e.logs(ctx, out))
}

func (e *Environment) logs(ctx context.Context, out io.Writer) error {
	s, err := e.open(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = s.close(nil) }()
	if err := s.explainSilence(ctx); err != nil {
		return err
	}
	find := func(ctx context.Context) ([]logs.Source, error) {
		return s.sources(ctx, engine.LogOptions{Follow: true, Tail: recentLines})
	}
	return logs.Stream(ctx, find, out, logs.Options{Colour: progress.IsTerminal(out, e.deps.env)})
}

// explainSilence says it when there is nothing to follow yet.
func (s *session) explainSilence(ctx context.Context) error {
	sources, err := s.sources(ctx, engine.LogOptions{})
	if ctx.Err() != nil {
		return nil // interrupted already
	}
	if err != nil || len(sources) > 0 {
		return err
	}
	console := progress.New(s.cfg.Out, s.deps.env)
	console.Note(fmt.Sprintf("There is nothing of environment %q yet, which env:up makes; waiting for what comes", s.name))
	console.Close(nil)
	return nil
}

// sources are what there is to read now.
func (s *session) sources(ctx context.Context, opts engine.LogOptions) ([]logs.Source, error) {
	streamer, ok := s.eng.(engine.LogStreamer)
	if !ok {
		return nil, fmt.Errorf("%w: stream logs", engine.ErrUnsupported)
	}
	var sources []logs.Source
	for _, label := range []string{cloudprovider.LabelOwner, cloudprovider.LabelCluster} {
		found, err := s.eng.List(ctx, map[string]string{label: s.name})
		if err != nil {
			return nil, err
		}
		for _, container := range found {
			sources = append(sources, logs.Container(streamer, container, s.sourceName(container), opts))
		}
	}
	all, err := s.nodes(ctx)
	if err != nil {
		return nil, err
	}
	for _, node := range all.with(kind.RoleControlPlane) {
		if execer, ok := s.eng.(engine.Execer); ok {
			sources = append(sources, logs.Journal(execer, node, s.sourceName(node), opts))
		}
	}
	return sources, nil
}

// sourceName is short and says what the container is for.
func (s *session) sourceName(container engine.Container) string {
	for _, label := range []string{cloudprovider.LabelLoadBalancer, cloudprovider.LabelGateway} {
		if name := container.Labels[label]; name != "" {
			return strings.TrimPrefix(name, s.name+"/")
		}
	}
	return strings.TrimPrefix(container.Name, s.name+"-")
}
