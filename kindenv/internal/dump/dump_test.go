package dump_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/magekind/magekind/kindenv/internal/dump"
)

func says(text string, err error) func(context.Context, io.Writer) error {
	return func(_ context.Context, out io.Writer) error {
		_, _ = io.WriteString(out, text)
		return err
	}
}

func ExampleCollect() {
	files := dump.Collect(context.Background(), []dump.Source{
		{Name: "one.txt", Read: says("token=s3cret\n", nil)},
		{Name: "two.txt", Read: says("half\n", errors.New("broken pipe"))},
	})
	for _, file := range files {
		fmt.Printf("%s: %q\n", file.Name, file.Content)
	}
	// Output:
	// one.txt: "token=xxxxx\n"
	// two.txt: "half\n\n(magekind: reading this ended: broken pipe)\n"
}

// TestCollectEndsInTime: also with sources that don't care.
func TestCollectEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		defer close(deaf)
		var sources []dump.Source
		for i := range 9 {
			sources = append(sources, dump.Source{Name: fmt.Sprint(i), Read: func(_ context.Context, out io.Writer) error {
				_, _ = io.WriteString(out, "begun\n")
				<-deaf
				_, err := io.WriteString(out, "late\n")
				return err
			}})
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		files := dump.Collect(ctx, sources)
		if took := time.Since(begin); took != time.Second {
			t.Errorf("took %s, want 1s", took)
		}
		begun := 0
		for i, file := range files {
			if file.Name != fmt.Sprint(i) || !strings.Contains(file.Content, "deadline exceeded") || strings.Contains(file.Content, "late") {
				t.Errorf("file %d is %+v", i, file)
			}
			begun += strings.Count(file.Content, "begun")
		}
		if begun != 4 {
			t.Errorf("%d were read at once, want 4", begun)
		}
	})
}

func TestCollectKeepsTheEnd(t *testing.T) {
	t.Parallel()
	const line = "a line that is long enough to be many bytes, of which there are many\n"
	files := dump.Collect(t.Context(), []dump.Source{{Name: "long", Read: func(_ context.Context, out io.Writer) error {
		for range 50_000 {
			if _, err := io.WriteString(out, line); err != nil {
				return err
			}
		}
		_, err := io.WriteString(out, "the end\n")
		return err
	}}})
	got := files[0].Content
	if len(got) > 600<<10 || !strings.HasSuffix(got, line+"the end\n") || !strings.HasPrefix(got, "(magekind: what came before is left out)\n"+line) {
		t.Errorf("got %d bytes, %.100q … %q", len(got), got, got[len(got)-100:])
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "dumps", "x")
	for _, content := range []string{"one", "two"} {
		files := []dump.File{{Name: "a/b.txt", Content: content}, {Name: content + ".txt", Content: content}, {Name: "empty.txt", Content: " \n"}}
		if err := dump.Write(folder, files); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 3 { // a, two.txt and the mark
		t.Errorf("the folder has %v (%v)", entries, err)
	}
	if content, err := os.ReadFile(filepath.Join(folder, "a", "b.txt")); string(content) != "two" {
		t.Errorf("got %q (%v)", content, err)
	}
	if err := dump.Write(folder, []dump.File{{Name: "../out", Content: "x"}}); err == nil {
		t.Error("wrote a file outside the folder")
	}
}

func TestWriteRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	other := filepath.Join(folder, "other")
	if err := os.WriteFile(other, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{folder, other} {
		if err := dump.Write(place, []dump.File{{Name: "a", Content: "x"}}); err == nil {
			t.Errorf("wrote to %q", place)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
