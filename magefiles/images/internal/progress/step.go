package progress

import (
	"fmt"
	"slices"
	"time"
)

// Step is a part of the work that takes time.
type Step struct {
	log    *Log
	name   string
	begin  time.Time
	status string
}

// Status says how far the step is; it is written with the next sign of life.
func (s *Step) Status(format string, args ...any) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.status = fmt.Sprintf(format, args...)
}

// End writes how long the step took, or that it failed; the error itself is for
// the caller to report.
func (s *Step) End(err error) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.running = slices.DeleteFunc(s.log.running, func(other *Step) bool { return other == s })
	outcome := "done in"
	if err != nil {
		outcome = "failed after"
	}
	s.log.print(fmt.Sprintf("%s: %s %s", s.name, outcome, seconds(time.Since(s.begin))))
}

// String returns the step's name and how far it is. The log has to be locked.
func (s *Step) String() string {
	if s.status == "" {
		return s.name
	}
	return s.name + " (" + s.status + ")"
}
