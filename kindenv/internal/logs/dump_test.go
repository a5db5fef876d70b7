package logs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/logs"
)

func says(name, text string, err error) logs.Source {
	return logs.Source{Name: name, Stream: func(_ context.Context, _ time.Time, out io.Writer) error {
		_, failed := io.WriteString(out, text)
		return errors.Join(failed, err)
	}}
}

func TestDump(t *testing.T) {
	t.Parallel()
	out := new(bytes.Buffer)
	sources := []logs.Source{says("a", "1\n2", nil), says("long", "", errors.New("gone")), says("b", "3\n", nil)}
	if err := logs.Dump(t.Context(), sources, out, logs.Options{}); err != nil {
		t.Fatal(err)
	}
	check(t, out.String(), "a    │ 1\na    │ 2\nlong │ (magekind can't read this: gone)\nb    │ 3\n")
}

func TestDumpEnds(t *testing.T) {
	t.Parallel()
	sources := []logs.Source{says("a", "1\n", nil), says("b", "2\n", nil)}
	if err := logs.Dump(t.Context(), sources, &failing{left: 5}, logs.Options{}); !errors.Is(err, errPipe) {
		t.Errorf("got error %v, want %v", err, errPipe)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := logs.Dump(ctx, sources, io.Discard, logs.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

func ExampleDump() {
	out := new(strings.Builder)
	controller := logs.Source{Name: "controller", Stream: func(_ context.Context, _ time.Time, out io.Writer) error {
		_, err := io.WriteString(out, "attached\n")
		return err
	}}
	if err := logs.Dump(context.Background(), []logs.Source{controller}, out, logs.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out)
	// Output: controller │ attached
}
