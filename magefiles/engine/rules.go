package engine

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
)

// A rule is an iptables rule as the arguments that delete it.
type rule []string

// removeRules deletes the iptables rules that name our bridge, which dockerd
// leaves when it stops. Its chains stay: the host's own engine uses the same ones.
func (m *maker) removeRules(ctx context.Context) error {
	var errs []error
	for _, name := range []string{"iptables", "ip6tables"} {
		save, err := lookPath(name + "-save")
		if err != nil {
			continue // no iptables, no rules
		}
		text, err := output(exec.CommandContext(ctx, save))
		if err != nil {
			continue // a kernel without IPv6, for instance
		}
		path, err := lookPath(name)
		if err != nil {
			continue
		}
		for _, r := range rulesOf(text, m.bridge()) {
			_, err := output(exec.CommandContext(ctx, path, append([]string{"-w"}, r...)...))
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// rulesOf returns the rules in iptables-save's text that concern a device.
func rulesOf(text, device string) []rule {
	var found []rule
	table := ""
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "*"); ok {
			table = name
			continue
		}
		fields := strings.Fields(line)
		if len(fields) > 2 && fields[0] == "-A" && slices.Contains(fields, device) {
			found = append(found, append(rule{"-t", table, "-D"}, fields[1:]...))
		}
	}
	return found
}
