package gobuild

import (
	"fmt"
	"os"
	"strings"
)

const (
	gibibyte = 1 << 30
	// ample memory lets every compiler run without collecting any garbage, which
	// takes a fifth of its time otherwise.
	ample = 6 * gibibyte
	// share is the part of the memory, one in so many, that one process may fill
	// before it collects all the same: few of them ever come near.
	share = 8
)

// collector returns the settings of the garbage collector for the compilers,
// unless the caller's environment has some.
func collector(getenv func(string) string, meminfo string) []string {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return nil
	}
	available := available(meminfo)
	if available < ample {
		return []string{"GOGC=400"}
	}
	return []string{"GOGC=off", fmt.Sprintf("GOMEMLIMIT=%d", available/share)}
}

// available returns how much memory is to be had, in bytes; 0 when that is not known.
func available(meminfo string) int64 {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kibibytes int64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kibibytes); n == 1 {
			return kibibytes << 10
		}
	}
	return 0
}
