// Package redact takes credentials out of texts that people, logs and files get.
// It is the one place that knows what a credential looks like; whoever lets a text
// of others out (an engine's, kind's, a container's) sends it through here.
//
// It goes by form, since the texts come from programs that got their settings
// elsewhere: kind's errors, for one, hold the whole command line of a node, with
// the proxies' variables and the passwords in them.
package redact

import (
	"regexp"
	"strings"
)

// Mark stands where a credential was.
const Mark = "xxxxx"

// rule replaces what matches.
type rule struct {
	pattern *regexp.Regexp
	by      string
	hint    string // in lower case: a text without it has no match, which is quicker to see
}

// rules are applied in order. What stands for a value ends at a quote, a space or
// what separates fields, so that no rule takes the text behind it along.
var rules = []rule{
	// a key in PEM, also with its line breaks escaped
	{regexp.MustCompile(`(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END [A-Z ]*PRIVATE KEY-----|$)`), "${1}" + Mark + "${2}", "private key"},
	// HTTP_PROXY=user:password@host, with a scheme or without, as in an environment; in a list, a quote and a comma end it
	{regexp.MustCompile(`(?i)(\b[a-z_]*proxy=(?:[a-z0-9+.-]+://)?)(?:[^\s"']|["'][^\s,])*["']?@`), "${1}" + Mark + "@", "proxy="},
	// scheme://user:password@host
	{regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/"'<>` + "`" + `]*@`), "${1}" + Mark + "@", "://"},
	{regexp.MustCompile(`(?i)(\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:basic|bearer)?\s*)[^\s"',;]+`), "${1}" + Mark, "authorization"},
	{regexp.MustCompile(`(?i)(\bx-registry-auth["']?\s*[:=]\s*["']?)[^\s"',;]+`), "${1}" + Mark, "x-registry-auth"},
	{regexp.MustCompile(`(?i)(\bbearer\s+)[a-z0-9._~+/=-]{16,}`), "${1}" + Mark, "bearer"},
	// a JSON web token, wherever it is
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`), Mark, "eyj"},
	// fields of JSON, such as those of the docker command's configuration, and of JSON in a quoted text
	{regexp.MustCompile(`(?i)("(?:` + fields + `)"\s*:\s*")(?:[^"\\]|\\.)*`), "${1}" + Mark, `"`},
	{regexp.MustCompile(`(?i)(\\"(?:` + fields + `)\\"\s*:\s*\\")(?:[^"\\]|\\\\(?:\\"|\\\\|[^"\\]))*`), "${1}" + Mark, `\"`},
	// fields of YAML, such as those of a kubeconfig, one on a line
	{regexp.MustCompile(`(?im)(^[ \t-]+(?:` + fields + `):[ \t]+)[^\s{}[\],]+`), "${1}" + Mark, ":"},
	// variables, parameters of URLs, and flags
	{regexp.MustCompile(`(?i)([\w-]*(?:password|passwd|secret|token|api[_-]?key)=)[^\s&"',;]+`), "${1}" + Mark, "="},
	{regexp.MustCompile(`(?i)(--(?:password|token|certificate-key|secret)[ ]+)[^\s"',;]+`), "${1}" + Mark, "--"},
	// what a YAML parser quotes of a value that it did not expect
	{regexp.MustCompile(`(cannot (?:unmarshal|decode) )![^!\s]\S*`), "${1}!" + Mark, "cannot "}, // a value with a '!' before it is a tag
	{regexp.MustCompile("(cannot (?:unmarshal|decode) !\\S* )`[^`]*`"), "${1}`" + Mark + "`", "cannot "},
	{regexp.MustCompile(`(unknown anchor )'[^']*'`), "${1}'" + Mark + "'", "unknown anchor"},
}

// fields are the names, in JSON and YAML, of what is secret by itself.
const fields = `auth|identity-?token|registry-?token|password|secret|token|client-?key-?data|id-token|refresh-token|access-?token|client-secret`

// Text returns text with [Mark] in place of the credentials in it: the user
// information of URLs and proxies, what an Authorization header, a token or a
// password field holds, and private keys.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, r := range rules {
		if strings.Contains(lower, r.hint) {
			text = r.pattern.ReplaceAllString(text, r.by)
		}
	}
	return text
}

// URL returns address, an endpoint or the like that may be no valid URL, with
// [Mark] in place of its user information.
func URL(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return Text(address)
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = Mark + rest[at:]
	}
	return scheme + "://" + rest
}

// Values is Text for a text in which secrets that are known may be in any form.
// Those that are too short to be told from other text stand only where Text finds them.
func Values(text string, secrets ...string) string {
	const short = 4
	for _, secret := range secrets {
		if len(secret) >= short {
			text = strings.ReplaceAll(text, secret, Mark)
		}
	}
	return Text(text)
}

// Error returns err with a text that [Text], or [Values] where there are secrets,
// has gone over. What it wraps is found as before, and has its text as before.
func Error(err error, secrets ...string) error {
	if err == nil {
		return nil
	}
	before := err.Error()
	text := Values(before, secrets...)
	if text == before {
		return err
	}
	return &redacted{text: text, err: err}
}

type redacted struct {
	text string
	err  error
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }
