//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// object is a JSON object whose members stay as they were written until edited:
// numbers keep their precision and unknown members their meaning.
type object map[string]json.RawMessage

// edit removes the absent capabilities from a target's file, if it asks for any of them.
func edit(t target, absent map[string]bool) error {
	info, err := os.Stat(t.path)
	if err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	text, err := os.ReadFile(t.path)
	if err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	edited, changed, err := withoutCapabilities(text, t.within, absent)
	if err != nil {
		return fmt.Errorf("editing the request %q: %w", t.path, err)
	}
	if !changed {
		return nil
	}
	return replace(t.path, edited, info.Mode().Perm())
}

// withoutCapabilities returns text with the absent names taken out of every
// capability set of the process: the member named within, or the document itself.
func withoutCapabilities(text []byte, within string, absent map[string]bool) (edited []byte, changed bool, err error) {
	var document object
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, false, err
	}
	process := document
	if within != "" {
		process = nil
		if err := member(document, within, &process); err != nil {
			return nil, false, err
		}
	}
	var sets object
	if err := member(process, "capabilities", &sets); err != nil {
		return nil, false, err
	}
	if changed, err = filter(sets, absent); err != nil || !changed {
		return text, false, err
	}
	if process["capabilities"], err = encode(sets); err != nil {
		return nil, false, err
	}
	if within != "" {
		if document[within], err = encode(process); err != nil {
			return nil, false, err
		}
	}
	edited, err = encode(document)
	return edited, true, err
}

// filter takes the absent names out of every set.
func filter(sets object, absent map[string]bool) (changed bool, err error) {
	for name := range sets {
		var set []string
		if err := member(sets, name, &set); err != nil {
			return false, err
		}
		kept := slices.DeleteFunc(slices.Clone(set), func(c string) bool { return absent[c] })
		if len(kept) == len(set) {
			continue
		}
		changed = true
		if sets[name], err = encode(kept); err != nil {
			return false, err
		}
	}
	return changed, nil
}

// member decodes a member of o into v, which stays as it is when o has none.
func member(o object, name string, v any) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	return nil
}

// encode is json.Marshal without its escapes for HTML.
func encode(v any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// replace writes a file in one step: runc never meets half of it.
func replace(path string, content []byte, mode fs.FileMode) error {
	next, err := os.CreateTemp(filepath.Dir(path), ".bounded-*")
	if err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	defer os.Remove(next.Name()) // nothing is left there once it was renamed
	if _, err := next.Write(content); err != nil {
		next.Close()
		return fmt.Errorf("writing the request: %w", err)
	}
	if err := next.Chmod(mode); err != nil {
		next.Close()
		return fmt.Errorf("writing the request: %w", err)
	}
	if err := next.Close(); err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	if err := os.Rename(next.Name(), path); err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	return nil
}
