package kindenv

import (
	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

// providerWarnings says what is wrong with and around the cloud provider of a
// cluster that exists or not, and what to do about it.
func (s *session) providerWarnings(exists bool, state cloudprovider.Status) []string {
	if s.cfg.NoCloudProvider {
		return nil
	}
	own := ""
	switch {
	case !exists && state.State != "":
		own = "the cloud provider is there without its cluster: env:down removes it"
	case exists && state.State == "":
		own = "there is no cloud provider, so load balancers stay pending: env:up starts it"
	case exists && state.State == engine.Paused:
		own = "the cloud provider is paused: env:up thaws it"
	case exists && (state.State != engine.Running || state.Outdated):
		own = "the cloud provider is not as it should be: env:up makes it anew"
	}
	if own == "" {
		return state.Warnings
	}
	return append([]string{own}, state.Warnings...)
}
