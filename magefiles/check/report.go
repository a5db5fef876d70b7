package check

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
)

// reportLine matches what `go test` says about a package, and about a test when
// that failed or when tests are named one by one.
var reportLine = regexp.MustCompile(`^(ok  |FAIL|\s*--- (FAIL|PASS|SKIP)|panic:)`)

// reportLines keeps the lines of `go test` that matter at the end of a long
// output.
type reportLines struct {
	kept []string
	rest []byte
}

var _ io.Writer = (*reportLines)(nil)

// Write implements io.Writer; it never fails.
func (r *reportLines) Write(p []byte) (int, error) {
	r.rest = append(r.rest, p...)
	for {
		line, rest, found := bytes.Cut(r.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		r.rest = rest
		if reportLine.Match(line) {
			r.kept = append(r.kept, string(line))
		}
	}
}

func (r *reportLines) writeTo(out io.Writer) {
	if len(r.kept) == 0 {
		return
	}
	fmt.Fprintln(out, "\n== go test, package by package")
	for _, line := range r.kept {
		fmt.Fprintln(out, line)
	}
}
