package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// runtimeName is what the wrapper is called in a dockerd's configuration.
const runtimeName = "bounded"

// ociRuntime is an entry of a dockerd's runtimes.
type ociRuntime struct {
	Path string `json:"path"`
}

// settings is the configuration of our dockerd: the members of daemon.json in use.
type settings struct {
	Hosts          []string              `json:"hosts"`
	DataRoot       string                `json:"data-root"`
	ExecRoot       string                `json:"exec-root"`
	PIDFile        string                `json:"pidfile"`
	Bridge         string                `json:"bridge"`
	Runtimes       map[string]ociRuntime `json:"runtimes"`
	DefaultRuntime string                `json:"default-runtime"`
}

func (l layout) settings() settings {
	return settings{
		Hosts:    []string{l.host()},
		DataRoot: l.dataRoot(),
		ExecRoot: l.execRoot(),
		PIDFile:  l.pidFile(),
		// a device of our own: with "none" dockerd deletes docker0, which the host's engine needs
		Bridge:         l.bridge(),
		Runtimes:       map[string]ociRuntime{runtimeName: {Path: l.wrapper()}},
		DefaultRuntime: runtimeName,
	}
}

func (s settings) text() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the engine's configuration: %w", err)
	}
	return append(text, '\n'), nil
}

// changed says whether the engine that runs was started with other settings
// than those of today: its configuration file holds what it was started with.
func (l layout) changed() (bool, error) {
	want, err := l.settings().text()
	if err != nil {
		return false, err
	}
	got, err := os.ReadFile(l.config())
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the engine's configuration: %w", err)
	}
	return string(got) != string(want), nil
}

// withRuntime returns the text of a daemon.json (empty: there is none) with
// the wrapper as default runtime and everything else as it was.
func withRuntime(daemonJSON []byte, wrapper string) (string, error) {
	document := map[string]json.RawMessage{}
	if len(daemonJSON) > 0 {
		if err := json.Unmarshal(daemonJSON, &document); err != nil {
			return "", err
		}
	}
	runtimes := map[string]json.RawMessage{}
	if raw, ok := document["runtimes"]; ok {
		if err := json.Unmarshal(raw, &runtimes); err != nil {
			return "", fmt.Errorf("reading %q: %w", "runtimes", err)
		}
	}
	var err error
	if runtimes[runtimeName], err = json.Marshal(ociRuntime{Path: wrapper}); err != nil {
		return "", err
	}
	if document["runtimes"], err = json.Marshal(runtimes); err != nil {
		return "", err
	}
	if document["default-runtime"], err = json.Marshal(runtimeName); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return string(text), err
}
