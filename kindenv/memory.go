package kindenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

// memory is what this machine remembers about an environment. It is a help:
// without it, or with an old one, things take longer and end the same.
type memory struct {
	path string

	// Creating is set while kind makes the cluster: still set later, it was interrupted.
	Creating bool `json:"creating,omitempty"`
	// Began is when that began.
	Began time.Time `json:"began,omitzero"`
	// Removing is set while the nodes are removed: still set later, that was interrupted.
	Removing bool `json:"removing,omitempty"`
	// Control is the ID of the control plane's container that all this is about.
	Control string `json:"control,omitempty"`
	// Loaded are the IDs of the images that were loaded into the nodes, by reference.
	Loaded map[string]string `json:"loaded,omitempty"`
	// Pending are the load balancers that were waited for in vain.
	Pending []string `json:"pending,omitempty"`
	// Runs are those in which the nodes were last found ready, by the containers' IDs.
	Runs map[string]run `json:"runs,omitempty"`
	// Merged is the user's kubeconfig file that has the cluster's entry.
	Merged string `json:"merged,omitempty"`
}

// recall reads the memory; one that can't be read is as good as none.
func recall(path string) memory {
	var m memory
	if raw, err := os.ReadFile(path); err == nil && json.Unmarshal(raw, &m) != nil {
		m = memory{}
	}
	m.path = path
	return m
}

// keep writes the memory down.
func (m *memory) keep() error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = kubeconfig.Write(m.path, append(raw, '\n'))
	}
	if err != nil {
		return fmt.Errorf("remember the environment's state: %w", err)
	}
	return nil
}

// forget removes the memory, but for where the user's kubeconfig still has the
// entry when that could not be removed.
func (m *memory) forget(left bool) error {
	if left && m.Merged != "" {
		m.end()
		return m.keep()
	}
	if err := os.Remove(m.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	*m = memory{path: m.path}
	return nil
}

// about makes the memory one of the cluster with this control plane: what was
// remembered of another one of the same name is void. A creation begins
// before there is a control plane to know.
func (m *memory) about(control string) {
	if m.Control != control && m.Control != "" {
		*m = memory{path: m.path, Merged: m.Merged}
	}
	m.Control = control
}

// begin makes the memory one of a cluster that is being created.
func (m *memory) begin() {
	*m = memory{path: m.path, Merged: m.Merged, Creating: true, Began: time.Now()}
}

// making notes the control plane of the cluster that is being created, so that
// another one of the same name is not taken for it should this be cut off.
func (m *memory) making(control string) error {
	if control == m.Control {
		return nil
	}
	m.Control = control
	return m.keep()
}

// finished says that the cluster with this control plane was once seen to be complete.
func (m *memory) finished(control string) bool {
	return control != "" && m.Control == control && !m.Creating && !m.Removing
}

// removing notes that the nodes of the cluster with this control plane are about to be removed.
func (m *memory) removing(control string) error {
	m.about(control)
	m.Removing = true
	return m.keep()
}

// end makes the memory one of no cluster.
func (m *memory) end() {
	*m = memory{path: m.path, Merged: m.Merged}
}
