package docker

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/docker/docker/client"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// API is the client, for what tests do with an engine that the module does not.
func (e *Engine) API() *client.Client { return e.api }

// Host stands for the machine that an engine is looked for on.
type Host struct {
	Env    map[string]string
	Home   string
	GOOS   string
	Kernel string
	// Sockets are the well-known places, as endpoints; nil: the real ones.
	Sockets  []string
	Patience time.Duration // 0: as on a real machine
	Limits   Limits        // of calls; zero: as on a real machine
}

// Limits are how long an engine may take for each sort of call.
type Limits struct{ Question, Work, Removal, Pull time.Duration }

func (h Host) surroundings() surroundings {
	s := surroundings{
		getenv: func(name string) string { return h.Env[name] }, home: h.Home, goos: h.GOOS, kernel: h.Kernel,
		patience: cmp.Or(h.Patience, patience), limits: usualLimits(),
	}
	if l := h.Limits; l != (Limits{}) {
		s.limits = limits{question: l.Question, work: l.Work, removal: l.Removal, pull: l.Pull}
	}
	if s.known = s.sockets(); h.Sockets == nil {
		return s
	}
	s.known = nil
	for _, host := range h.Sockets {
		s.known = append(s.known, candidate{host: host, source: "well known"})
	}
	return s
}

// Open is [Open] on that machine.
func (h Host) Open(ctx context.Context, opts Options) (*Engine, error) {
	return h.surroundings().open(ctx, opts)
}

// Candidates returns the endpoints that are tried, in order.
func (h Host) Candidates(opts Options) []string {
	var hosts []string
	for _, c := range h.surroundings().candidates(opts) {
		hosts = append(hosts, c.host)
	}
	return hosts
}

// Translate is the place where errors get their class.
func Translate(err error) error { return translate(err) }

// Decode reads a pull's messages.
func Decode(stream io.Reader, progress func(engine.PullProgress)) error {
	return decode(stream, progress)
}

// Credentials looks for a registry's credentials.
func Credentials(ref string) (string, error) {
	auth, _, err := credentials(ref)
	return auth, err
}

// Unreachable is the error when the engine at host fails with err on such a machine.
func Unreachable(goos, host string, err error) error {
	return unreachable(goos, []attempt{{candidate{host: host, source: "DOCKER_HOST"}, err}}, nil)
}

// Watched reads a stream to its end under watch, with the usual limits for an
// engine that is pinged by ping.
func Watched(ctx context.Context, limit time.Duration, ping func(context.Context) error, stream io.ReadCloser) error {
	e := &Engine{limits: usualLimits()}
	w := e.watchWith(ctx, func(ctx context.Context) error { return e.tell(ctx, e.limits.question, ping) }, limit)
	defer w.end()
	context.AfterFunc(w.ctx, func() { stream.Close() })
	_, err := io.Copy(io.Discard, w.reader(stream))
	return w.explain(ctx, err)
}
