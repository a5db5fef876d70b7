package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	l, err := newLayout("/home/user/.cache/magekind/engine", "/run/magekind")
	if err != nil {
		t.Fatal(err)
	}
	text, err := l.settings().text()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	run := "/run/magekind/" + l.key
	want := map[string]any{
		"hosts": []any{"unix://" + run + "/docker.sock"}, "data-root": "/home/user/.cache/magekind/engine/data",
		"exec-root": run + "/exec", "pidfile": run + "/dockerd.pid", "bridge": "mgk" + l.key,
		"runtimes":        map[string]any{"bounded": map[string]any{"path": "/home/user/.cache/magekind/engine/programs/runc-bounded"}},
		"default-runtime": "bounded",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestLayoutsDoNotMeet(t *testing.T) {
	t.Parallel()
	one, err := newLayout("/a/engine", "/run/magekind")
	if err != nil {
		t.Fatal(err)
	}
	other, err := newLayout("/b/engine", "/run/magekind")
	if err != nil {
		t.Fatal(err)
	}
	if one.bridge() == other.bridge() || one.run == other.run || one.lockFile() == other.lockFile() {
		t.Errorf("%+v and %+v share something", one, other)
	}
	if n := len(one.bridge()); n > 15 {
		t.Errorf("the bridge's name %q has %d characters, which is more than a device's can", one.bridge(), n)
	}
}

func TestLongRunDir(t *testing.T) {
	t.Parallel()
	fits := "/" + strings.Repeat("r", 59)
	if _, err := newLayout("/cache", fits); err != nil {
		t.Error(err)
	}
	if _, err := newLayout("/cache", fits+"r"); err == nil || !strings.Contains(err.Error(), "at most 60 characters") {
		t.Errorf("got %v, want an error that names the limit", err)
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	l, err := newLayout(t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	assert := func(when string, want bool) {
		t.Helper()
		if got, err := l.changed(); err != nil || got != want {
			t.Errorf("%s: changed %v (%v), want %v", when, got, err, want)
		}
	}
	assert("no configuration", true)
	text, err := l.settings().text()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(l.run, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, l.config(), string(text))
	assert("the same", false)
	write(t, l.config(), strings.Replace(string(text), "mgk", "old", 1))
	assert("another bridge", true)
}

func TestWithRuntime(t *testing.T) {
	t.Parallel()
	const ours = `"runtimes": {"bounded": {"path": "/w"}}, "default-runtime": "bounded"`
	for before, want := range map[string]string{
		"":                          `{` + ours + `}`,
		"{}":                        `{` + ours + `}`,
		`{"debug": true}`:           `{"debug": true, ` + ours + `}`,
		`{"default-runtime": "x"}`:  `{` + ours + `}`,
		`{"log-opts": {"a": "<b"}}`: `{"log-opts": {"a": "<b"}, ` + ours + `}`,
		`{"runtimes": {"nvidia": {"path": "n", "runtimeArgs": []}, "bounded": {"path": "/old"}}}`: `{"runtimes": {"nvidia": {"path": "n", "runtimeArgs": []}, "bounded": {"path": "/w"}}, "default-runtime": "bounded"}`,
	} {
		text, err := withRuntime([]byte(before), "/w")
		if err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		var got, expected any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s became %s: %v", before, text, err)
		}
		if err := json.Unmarshal([]byte(want), &expected); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("%s became %s, want %s", before, text, want)
		}
	}
	for _, before := range []string{"{", "[]", `{"runtimes": []}`} {
		if text, err := withRuntime([]byte(before), "/w"); err == nil {
			t.Errorf("%s became %s, want an error", before, text)
		}
	}
}

func TestAdviceKeepsTheHostsSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "daemon.json")
	for content, want := range map[string]string{
		"":                `"default-runtime": "bounded"`,
		`{"mtu": 1400}`:   `"mtu": 1400`,
		`{"mtu": 1400,,}`: "by hand",
	} {
		write(t, file, content)
		got := giveRuntime(file, "/cache/bounded-1")
		for _, want := range []string{want, file, "/cache/bounded-1 " + installedAs, `"path": "` + installedAs + `"`, "kill -HUP"} {
			if !strings.Contains(got, want) {
				t.Errorf("for %s the advice lacks %q:\n%s", content, want, got)
			}
		}
	}
}
