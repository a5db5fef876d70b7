package soak

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// tally counts what a phase has done and found, from the output of `go test -v`.
type tally struct {
	counts   map[string]int
	failures []string
	rest     []byte
	execs    int // of the fuzz target that runs
}

var _ io.Writer = (*tally)(nil)

var (
	attr    = regexp.MustCompile(`^\s*=== ATTR\s+\S+ (\S+) (\d+)$`)
	test    = regexp.MustCompile(`^--- (PASS|FAIL): `)
	failure = regexp.MustCompile(`^\s*--- FAIL: (\S+)`)
	faults  = regexp.MustCompile(`^\s*\S+_test\.go:\d+: (\d+) faults, of which (\d+) were survived$`)
	execs   = regexp.MustCompile(`^fuzz: elapsed: \S+, execs: (\d+)`)
	ended   = regexp.MustCompile(`^(ok|FAIL)\s`)
)

// Write implements io.Writer; it never fails.
func (t *tally) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, found := bytes.Cut(t.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		t.rest = rest
		t.line(string(line))
	}
}

func (t *tally) line(line string) {
	if match := attr.FindStringSubmatch(line); match != nil {
		t.add(match[1], match[2])
	}
	if match := faults.FindStringSubmatch(line); match != nil {
		t.add("faults", match[1])
		t.add("faults-that-the-command-survived", match[2])
	}
	if test.MatchString(line) {
		t.add("tests", "1")
	}
	if match := failure.FindStringSubmatch(line); match != nil {
		t.failures = append(t.failures, match[1])
	}
	if match := execs.FindStringSubmatch(line); match != nil {
		t.execs, _ = strconv.Atoi(match[1]) // so far; the expression has digits only
	}
	if t.execs > 0 && ended.MatchString(line) {
		t.add("fuzz-targets", "1")
		t.add("fuzz-executions", strconv.Itoa(t.execs))
		t.execs = 0
	}
}

// add adds to a count. A name's dashes stand for spaces, which attributes can't have.
func (t *tally) add(name, text string) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return // a number that nobody can have counted
	}
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[strings.ReplaceAll(name, "-", " ")] += n
}
