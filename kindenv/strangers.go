package kindenv

import (
	"errors"
	"fmt"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

// estrange says what strangers are and what becomes of them. Up leaves them
// alone; whoever put the cluster's label on them has Down remove them, as kind does.
func (s *session) estrange(strangers nodes) string {
	return fmt.Sprintf("%s: labelled %s=%s, but no node of kind's, which have a label %s: remove it, or have env:down remove it with the cluster",
		strangers.names(), kind.LabelCluster, s.name, kind.LabelRole)
}

// refuse is the error about strangers in the way of a new cluster: kind takes
// them for nodes of an old one.
func (s *session) refuse(strangers nodes) error {
	if len(strangers) == 0 {
		return nil
	}
	return errors.New("kind can't make the cluster while this is there: " + s.estrange(strangers))
}
