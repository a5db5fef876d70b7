package kindenv

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// merge puts the cluster into the user's kubeconfig. Unless again is set, one
// that was merged before and is still there stays as it is, and so does the
// current context, which the user may have changed since.
//
// The file is the user's, and other programs write it too: that it can't be
// done is no reason to fail, only to say so in the end.
func (s *session) merge(ctx context.Context, raw []byte, again bool) error {
	if s.cfg.NoMerge {
		return nil
	}
	paths := kubeconfig.Paths(s.deps.env)
	if !again && s.memory.Merged != "" && inUsers(ctx, paths, s.Context(), raw) {
		s.merged = s.memory.Merged
		return nil
	}
	file, err := s.mergeInto(ctx, paths, raw)
	if ctx.Err() != nil && err != nil {
		return err
	}
	s.unmerged = err
	if file == "" {
		return nil
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	s.merged, s.memory.Merged = file, file
	return s.memory.keep()
}

// mergeInto merges. An entry of the same name is replaced unless it is that of
// another cluster which is there, on another engine, say.
func (s *session) mergeInto(ctx context.Context, paths []string, raw []byte) (string, error) {
	var gone []string
	for {
		file, err := kubeconfig.Merge(ctx, paths, raw, gone...)
		var taken *kubeconfig.Taken
		if !errors.As(err, &taken) || slices.Contains(gone, taken.Server) {
			return file, err
		}
		if entry, found := kubeconfig.Find(ctx, paths, s.Context()); found {
			if why := s.elsewhere(ctx, entry); why != "" {
				return "", fmt.Errorf("%w, which %s, while this one is at %s: give one of them another Name", err, why, serverOf(raw))
			}
		}
		gone = append(gone, taken.Server)
	}
}

// elsewhere says why an entry of the user's kubeconfig that has our name, but
// another server, is that of another cluster; empty: it is of one that is gone.
func (s *session) elsewhere(ctx context.Context, entry kubeconfig.Entry) string {
	access, err := entry.Named(s.Context())
	if err != nil {
		return "was not made by kind"
	}
	if s.deps.answers(ctx, access) {
		return "answers"
	}
	return ""
}

// answerBudget is how long an API server may take to answer.
const answerBudget = 2 * time.Second

// answers says whether the API server is there, ready or not.
func answers(ctx context.Context, at kubeconfig.Access) bool {
	client, err := kubeapi.New(at, nil)
	if err != nil {
		return false
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, answerBudget)
	defer cancel()
	_, err = client.Version(ctx)
	var unreached *url.Error // also when the certificate is not the one that is known
	return !errors.As(err, &unreached)
}

func (s *session) statusOfMerge(ctx context.Context, status *Status) {
	own, err := os.ReadFile(s.Kubeconfig())
	if err == nil {
		status.Kubeconfig = s.Kubeconfig()
	}
	if _, bad := kubeconfig.Parse(own); err == nil && bad != nil && status.Exists {
		status.Warnings = append(status.Warnings, fmt.Sprintf("the environment's own kubeconfig can't be used: %v: env:up writes it again", bad))
		own = nil // it does not tell which entry is the cluster's
	}
	status.Merged = inUsers(ctx, kubeconfig.Paths(s.deps.env), s.Context(), own)
	if s.unmerged != nil {
		status.Unmerged = s.unmerged.Error()
	}
}

// inUsers says whether the user's kubeconfig has the context, for the cluster
// whose own kubeconfig is raw; nil: for any.
func inUsers(ctx context.Context, paths []string, name string, raw []byte) bool {
	entry, found := kubeconfig.Find(ctx, paths, name)
	return found && entry.Context && (raw == nil || entry.Server == serverOf(raw))
}

// serverOf is the API server in the environment's own kubeconfig; empty when it has none.
func serverOf(raw []byte) string {
	access, err := kubeconfig.Parse(raw)
	if err != nil {
		return ""
	}
	return access.Server
}

// unmerge removes the cluster's entries from the user's kubeconfig, also when
// this machine did not make them.
func (s *session) unmerge(ctx context.Context, raw []byte) error {
	paths := kubeconfig.Paths(s.deps.env)
	spare := s.others(ctx, paths, serverOf(raw))
	if merged := s.memory.Merged; merged != "" && !slices.Contains(paths, merged) {
		paths = append(paths, merged)
	}
	var errs []error
	for _, path := range paths {
		err := kubeconfig.Remove(ctx, path, s.Context(), spare...)
		var unknown *kubeconfig.Unknown
		if errors.As(err, &unknown) && path != s.memory.Merged {
			s.console.Warn(err.Error()) // nothing says that there is anything of ours
			err = nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// others are the servers of other clusters that are there under our name.
func (s *session) others(ctx context.Context, paths []string, own string) []string {
	entry, found := kubeconfig.Find(ctx, paths, s.Context())
	if !found || entry.Server == "" || entry.Server == own || s.elsewhere(ctx, entry) == "" {
		return nil
	}
	s.console.Note(fmt.Sprintf("Context %q stays in kubeconfig %q: it is that of another cluster, at %s", s.Context(), entry.File, entry.Server))
	return []string{entry.Server}
}
