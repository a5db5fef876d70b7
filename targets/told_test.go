package targets

import (
	"errors"
	"fmt"
	"testing"

	"github.com/magekind/magekind/kindenv"
)

func TestTold(t *testing.T) {
	t.Parallel()
	cause := errors.New("no\nCNI")
	tests := []struct {
		err  error
		want string
	}{
		{cause, "no\nCNI"},
		{&kindenv.Failure{Err: cause}, "no\nCNI"},
		{fmt.Errorf("up: %w", &kindenv.Failure{Err: cause, Explained: true}), "up: no"},
	}
	for _, test := range tests {
		got := told(test.err)
		if got.Error() != test.want || !errors.Is(got, cause) {
			t.Errorf("%#v: got %q, want %q", test.err, got, test.want)
		}
	}
	if err := told(nil); err != nil {
		t.Errorf("nil: got %v", err)
	}
}
