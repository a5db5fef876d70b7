//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestEditTakesAbsentCapabilitiesOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, within string }{{"config.json", "process"}, {"process.json", ""}} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			before := read(t, filepath.Join("testdata", c.file))
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, before, 0o640); err != nil {
				t.Fatal(err)
			}
			absent := map[string]bool{"CAP_SYS_RESOURCE": true, "CAP_BPF": true}
			if err := edit(target{path: path, within: c.within}, absent); err != nil {
				t.Fatal(err)
			}
			after := read(t, path)
			if bytes.Contains(after, []byte("CAP_SYS_RESOURCE")) {
				t.Error("CAP_SYS_RESOURCE is still requested")
			}
			if got, want := decode(t, after), expected(t, before, c.within); !reflect.DeepEqual(got, want) {
				t.Errorf("edited to\n%v\nwant\n%v", got, want)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != fs.FileMode(0o640) {
				t.Errorf("mode is %v (%v), want 0640", info.Mode(), err)
			}
			onlyFile(t, filepath.Dir(path))
		})
	}
}

// expected makes the edit in another way: on the text, whose sets have no other form than this.
func expected(t *testing.T, text []byte, within string) any {
	t.Helper()
	if n := bytes.Count(text, []byte(`"CAP_SYS_RESOURCE",`)); n != 3 {
		t.Fatalf("%d sets of the test data (%q) have CAP_SYS_RESOURCE, want 3", n, within)
	}
	return decode(t, bytes.ReplaceAll(text, []byte(`"CAP_SYS_RESOURCE",`), nil))
}

func TestEditKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	text := `{"futureMember":{"big":12345678901234567890,"exact":1.50},"process":{"env":["A=<b>R&D</b>"],` +
		`"capabilities":{"bounding":["CAP_SYS_RESOURCE"],"ambient":null}}}`
	got, changed, err := withoutCapabilities([]byte(text), "process", map[string]bool{"CAP_SYS_RESOURCE": true})
	if err != nil || !changed {
		t.Fatalf("changed %v, %v", changed, err)
	}
	for _, want := range []string{`"big":12345678901234567890`, `"exact":1.50`, `"A=<b>R&D</b>"`, `"bounding":[]`, `"ambient":null`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
}

func TestEditLeavesTheRestAlone(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing absent is asked for": `{ "process": {"capabilities": {"bounding": ["CAP_CHOWN"]} } }`,
		"no capabilities":             `{ "process": {"args": []} }`,
		"null capabilities":           `{ "process": {"capabilities": null} }`,
		"no process":                  `{ "ociVersion": "1.2.0" }`,
	} {
		got, changed, err := withoutCapabilities([]byte(text), "process", map[string]bool{"CAP_SYS_RESOURCE": true})
		if err != nil || changed || string(got) != text {
			t.Errorf("%s: got %s, changed %v, %v; want it untouched", name, got, changed, err)
		}
	}
}

func TestEditRefusesWhatIsNotASpec(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{`, `[]`, `{"process": 3}`, `{"process": {"capabilities": {"bounding": "CAP_CHOWN"}}}`} {
		path := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := edit(target{path: path, within: "process"}, map[string]bool{"CAP_CHOWN": true})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got error %v, want one that names %s", text, err, path)
		}
		if got := string(read(t, path)); got != text {
			t.Errorf("%s was changed to %s", text, got)
		}
	}
	if err := edit(target{path: filepath.Join(t.TempDir(), "none")}, nil); err == nil {
		t.Error("a missing file is no error")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func onlyFile(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("left behind: %v", slices.Collect(func(yield func(string) bool) {
			for _, e := range entries {
				if !yield(e.Name()) {
					return
				}
			}
		}))
	}
}
