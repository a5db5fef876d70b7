// Package name chooses the name of a project's cluster, and says whether a name
// can be one.
package name

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	// MaxSingle and MaxSeveral are the greatest lengths of a cluster's name, in
	// bytes, with one control plane and with several. A node's name is its host
	// name and a label's value, 63 bytes at most, and begins with the cluster's:
	// the longest endings are "-control-plane" and, where kind puts a load balancer
	// before several control planes, "-external-load-balancer".
	MaxSingle  = 63 - len("-control-plane")
	MaxSeveral = 63 - len("-external-load-balancer")

	// rule is what kind accepts (^[a-z0-9.-]+$) less what Kubernetes refuses as
	// the name of the node <cluster>-control-plane: a DNS subdomain, each
	// of whose parts between dots begins and ends with a letter or digit. Only the
	// last part may end with a hyphen, since the node's ending follows it.
	rule = `^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*-*$`
)

// Check returns an error unless name can be the name of a cluster with that
// many control planes. The error says what is allowed and what to do.
func Check(name string, controlPlanes int) error {
	limit, with := MaxSingle, "one control plane"
	if controlPlanes > 1 {
		limit, with = MaxSeveral, "several control planes"
	}
	switch valid, err := regexp.MatchString(rule, name); {
	case err != nil:
		return err
	case !valid:
		return fmt.Errorf("invalid cluster name %q: use lower-case letters, digits, '-' and '.', with a letter or digit first and around each '.'%s",
			name, suggestion(name))
	case len(name) > limit:
		return fmt.Errorf("invalid cluster name %q: it has %d characters, with %s at most %d are allowed%s",
			name, len(name), with, limit, suggestion(name))
	}
	return nil
}

// suggestion proposes a valid name that is like the invalid one.
func suggestion(name string) string {
	if strings.TrimFunc(name, func(r rune) bool { return !isAllowed(r) || r == '-' || r == '.' }) == "" {
		return ""
	}
	return fmt.Sprintf("; for example %q", Derive(name))
}
