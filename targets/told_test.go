package targets

import (
	"errors"
	"fmt"
	"testing"

	"github.com/magekind/magekind/kindenv"
)

func TestTold(t *testing.T) {
	t.Parallel()
	one, more := errors.New("no CNI"), errors.New("its last lines:\nno\nCNI")
	tests := []struct {
		err  error
		is   error
		want string
	}{
		{more, more, "its last lines:\nno\nCNI"},
		{&kindenv.Failure{Err: more}, more, "its last lines:\nno\nCNI"},
		{fmt.Errorf("up: %w", &kindenv.Failure{Err: more, Explained: true}), more, "up: its last lines (more above)"},
		{&kindenv.Failure{Err: one, Explained: true}, one, "no CNI"},
	}
	for _, test := range tests {
		got := told(test.err)
		if got.Error() != test.want || !errors.Is(got, test.is) {
			t.Errorf("%#v: got %q, want %q", test.err, got, test.want)
		}
	}
	if err := told(nil); err != nil {
		t.Errorf("nil: got %v", err)
	}
}
