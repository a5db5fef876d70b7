package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestBadArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "node,busybox"}, `unknown image "busybox": choose of cloudProvider, example, node`},
		{[]string{"node"}, `unexpected argument "node": name the images with -only`},
		{[]string{"-unknown"}, "flag provided but not defined"},
	} {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), c.args, &stdout, &stderr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.args, err, c.want)
		}
		if stdout.Len() > 0 {
			t.Errorf("%q: got %q on standard output", c.args, stdout.String())
		}
	}
}
