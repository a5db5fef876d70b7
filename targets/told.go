package targets

import (
	"errors"
	"strings"

	"github.com/magekind/magekind/kindenv"
)

// told shortens an error that stands in the output already, with all that
// belongs to it: mage prints what a target returns once more.
func told(err error) error {
	var failure *kindenv.Failure
	if !errors.As(err, &failure) || !failure.Explained {
		return err
	}
	return &short{err}
}

// short is an error of which the first line is shown, and where the rest is.
type short struct{ err error }

func (s *short) Error() string {
	line, rest, _ := strings.Cut(s.err.Error(), "\n")
	if rest == "" {
		return line
	}
	return strings.TrimSuffix(line, ":") + " (more above)"
}

func (s *short) Unwrap() error { return s.err }
