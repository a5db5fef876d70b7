package soak

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestFuzzTargets(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{
		"a/a_test.go":          "package a\n\nfunc FuzzTwo(f *testing.F) {\n}\n\nfunc FuzzOne(f *testing.F) {}\n\nfunc FuzzyHelper(t *testing.T) {}\n",
		"a/a.go":               "package a\n\nfunc FuzzNoTest(f *testing.F) {}\n",
		"a/testdata/x_test.go": "package x\n\nfunc FuzzData(f *testing.F) {}\n",
		".git/y_test.go":       "package y\n\nfunc FuzzGit(f *testing.F) {}\n",
		"b_test.go":            "package b\n\n// func FuzzComment(f *testing.F) {}\nfunc FuzzB(fuzz *testing.F) {}\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := fuzzTargets(root)
	if err != nil {
		t.Fatal(err)
	}
	a := filepath.Join(root, "a")
	want := []fuzzTarget{{root, "FuzzB"}, {a, "FuzzOne"}, {a, "FuzzTwo"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("fuzzTargets = %v, want %v", got, want)
	}
}
