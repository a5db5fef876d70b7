package templates

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"unicode"
)

//go:embed kind.yaml.tmpl
var kindTemplate string

// Kind renders the kind configuration (kind.x-k8s.io/v1alpha4) of a cluster
// that has passed [Cluster.Validate], which it calls. Equal clusters give equal bytes.
func Kind(c Cluster) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	t, err := template.New("kind.yaml").Option("missingkey=error").Funcs(template.FuncMap{
		"quote": quote,
		"text":  text,
	}).Parse(kindTemplate)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the kind configuration: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, c.withDefaults()); err != nil {
		return nil, fmt.Errorf("rendering the kind configuration: %w", err)
	}
	return out.Bytes(), nil
}

// withDefaults returns a copy with every default that the template counts on.
func (c Cluster) withDefaults() Cluster {
	c.ControlPlanes = max(c.ControlPlanes, 1)
	ports := make([]PortMapping, len(c.Ports))
	for i, p := range c.Ports {
		ports[i] = p.withDefaults()
	}
	c.Ports = ports
	return c
}

func (p PortMapping) withDefaults() PortMapping {
	if p.ListenAddress == "" {
		p.ListenAddress = "127.0.0.1"
	}
	if p.Protocol == "" {
		p.Protocol = "TCP"
	}
	p.Protocol = strings.ToUpper(p.Protocol)
	return p
}

// quote returns s as a YAML scalar on one line that means s and nothing else,
// whatever is in it. Go's ASCII escapes are a part of YAML's; only bytes that
// are not UTF-8 mean something else there, and Validate refuses those.
func quote(s string) string { return strconv.QuoteToASCII(s) }

// text returns s as a YAML scalar for people to read: a block of lines, each
// indented by so many spaces. A text that a block could change is quoted.
func text(indent int, s string) string {
	if !plain(s) {
		return quote(s)
	}
	chomp, body := "-", s
	if cut, ok := strings.CutSuffix(s, "\n"); ok {
		chomp, body = "", cut
	}
	margin := "\n" + strings.Repeat(" ", indent)
	var b strings.Builder
	b.WriteString("|" + chomp)
	for line := range strings.SplitSeq(body, "\n") {
		if line == "" {
			b.WriteString("\n")
			continue
		}
		b.WriteString(margin + line)
	}
	return b.String()
}

// plain reports whether a block scalar would keep s as it is: its first line
// sets the indentation, so it starts with neither space nor line break; it ends
// with at most one line break; and every character is printable.
func plain(s string) bool {
	if s == "" || strings.ContainsAny(s[:1], " \t\n") || strings.HasSuffix(s, "\n\n") || s[len(s)-1] == ' ' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) })
}
