package progress_test

import (
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/progress"
)

func TestConsoleShowsNoPasswords(t *testing.T) {
	t.Parallel()
	const secret, url = "hunter2", "http://me:hunter2@proxy.test"
	var out strings.Builder
	c := progress.New(&out, nil)
	c.Note("a note on " + url)
	c.Warn("a warning of " + url)
	c.Logger().V(0).Infof("kind has %s", url)
	step := c.Step("a step to " + url)
	step.Detail("at " + url)
	step.Done(nil)
	c.Close(nil)
	if got := out.String(); strings.Contains(got, secret) || strings.Count(got, "xxxxx@proxy.test") < 5 {
		t.Errorf("got\n%s", got)
	}
}
