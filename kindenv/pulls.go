package kindenv

import (
	"fmt"
	"sync"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// pulls shows the pulls of the cloud provider, a step for each image. Nobody
// tells when one has ended, so all end with the call that they belong to.
type pulls struct {
	console *progress.Console

	mu      sync.Mutex
	running map[string]pull
}

type pull struct {
	step   *progress.Step
	detail func(engine.PullProgress)
}

// follow takes the progress of a pull.
func (p *pulls) follow(image string, at engine.PullProgress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one, known := p.running[image]
	if !known {
		step := p.console.Step(pulling(image))
		one = pull{step, pullDetail(step)}
		if p.running == nil {
			p.running = map[string]pull{}
		}
		p.running[image] = one
	}
	one.detail(at)
}

// end ends the steps of the pulls so far, and reports whether there were any.
func (p *pulls) end(err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := len(p.running) > 0
	for _, one := range p.running {
		one.step.Done(err)
	}
	p.running = nil
	return shown
}

func pulling(image string) string { return fmt.Sprintf("Pulling %s 📥", friendly(image)) }
