package kindenv

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// String describes the environment for people, a fact a line.
func (s Status) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Environment %q on %s\n", s.Name, s.Engine)
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, line := range s.facts() {
		fmt.Fprintf(table, "  %s\t%s\n", line.name, strings.ReplaceAll(line.value, "\n", "\n      "))
	}
	_ = table.Flush() // to memory: it can't fail
	return strings.TrimSuffix(text.String(), "\n")
}

// redact takes credentials out of what others have said.
func (s *Status) redact() {
	s.API, s.CloudProvider = redact.Text(s.API), redact.Text(s.CloudProvider)
	for i := range s.Warnings {
		s.Warnings[i] = redact.Text(s.Warnings[i])
	}
	for i := range s.Nodes {
		s.Nodes[i].Reason = redact.Text(s.Nodes[i].Reason)
	}
}

// fact is a line of a description.
type fact struct{ name, value string }

func (s Status) facts() []fact {
	facts := s.state()
	for _, warning := range s.Warnings {
		facts = append(facts, fact{"warning", warning})
	}
	return facts
}

func (s Status) state() []fact {
	if !s.Exists {
		facts := []fact{{"cluster", absent}}
		if s.CloudProvider != "" {
			facts = append(facts, fact{"cloud provider", s.CloudProvider})
		}
		return append(facts, s.balancerFacts()...)
	}
	facts := []fact{{"kubernetes", strings.TrimSpace(s.Kubernetes + " " + s.apiState())}}
	for _, node := range s.Nodes {
		facts = append(facts, fact{"node", node.Name + ": " + node.describe()})
	}
	facts = append(facts, fact{"context", s.contextFact()})
	if s.Kubeconfig != "" {
		facts = append(facts, fact{"kubeconfig", s.Kubeconfig})
	}
	serves := ""
	if s.Serves {
		serves = ", serves the cluster"
	}
	facts = append(facts, fact{"cloud provider", s.CloudProvider + serves})
	return append(facts, s.balancerFacts()...)
}

func (s Status) apiState() string {
	if s.API == ready {
		return ""
	}
	return "API server: " + s.API
}

func (s Status) contextFact() string {
	if s.Merged {
		return s.Context
	}
	why := "not in the user's kubeconfig"
	if s.Unmerged != "" {
		why += ": " + s.Unmerged
	}
	if s.Kubeconfig != "" {
		why += "; use KUBECONFIG=" + s.Kubeconfig
	}
	return s.Context + " (" + why + ")"
}

func (s Status) balancerFacts() []fact {
	facts := make([]fact, 0, len(s.LoadBalancers))
	for _, balancer := range s.LoadBalancers {
		facts = append(facts, fact{"load balancer", balancer.String()})
	}
	return facts
}

// String is one line: name, addresses with ports, published ports.
func (b LoadBalancer) String() string {
	parts := []string{}
	for _, address := range b.Addresses {
		if len(b.Ports) == 0 {
			parts = append(parts, address.String())
		}
		for _, port := range b.Ports {
			parts = append(parts, fmt.Sprintf("%s (%s)", netip.AddrPortFrom(address, uint16(port.Port)), port.Protocol))
		}
	}
	for _, port := range b.Published {
		parts = append(parts, fmt.Sprintf("%s -> %d (%s)", port.Host, port.ContainerPort, port.Protocol))
	}
	if len(parts) == 0 {
		parts = append(parts, "no address, container "+string(b.State))
	}
	return b.Name + ": " + strings.Join(parts, ", ")
}

// summarize ends Up: what there is, and how long each step took.
func (s *session) summarize(ctx context.Context) error {
	if s.cfg.Out == nil {
		return nil
	}
	status, err := s.status(ctx, false)
	if err != nil {
		return err
	}
	if s.cfg.NoCloudProvider {
		status.CloudProvider = "not configured"
	}
	s.console.Note("\n" + status.String() + "\n" + s.elapsed())
	s.warnUnmerged()
	return nil
}

// warnUnmerged says last what people would miss first.
func (s *session) warnUnmerged() {
	switch {
	case s.unmerged == nil:
	case s.merged == "":
		s.console.Warn(fmt.Sprintf("Context %q is not in your kubeconfig, but all else is ready; use KUBECONFIG=%s\n\t%v", s.Context(), s.Kubeconfig(), s.unmerged))
	default:
		s.console.Warn(fmt.Sprintf("Context %q is not the current one; use kubectl --context %s\n\t%v", s.Context(), s.Context(), s.unmerged))
	}
}

// elapsed lists the steps with the time that each took; some ran side by side.
func (s *session) elapsed() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Ready after %s", rounded(time.Since(s.began)))
	timings := s.console.Timings()
	if len(timings) > 0 {
		text.WriteString(", of which (some at the same time)")
	}
	for _, t := range timings {
		fmt.Fprintf(&text, "\n  %8s  %s", rounded(t.Elapsed), t.Title)
	}
	return text.String()
}

func rounded(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
