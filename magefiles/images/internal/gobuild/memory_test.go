package gobuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCollector(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, meminfo, gogc, want string }{
		{name: "ample", meminfo: "MemTotal: 9 kB\nMemAvailable:   16777216 kB\n", want: "GOGC=off GOMEMLIMIT=2147483648"},
		{name: "scarce", meminfo: "MemTotal: 9 kB\nMemAvailable:   2097152 kB\n", want: "GOGC=400"},
		{name: "not known", meminfo: "", want: "GOGC=400"},
		{name: "chosen by the caller", meminfo: "MemAvailable: 16777216 kB\n", gogc: "100", want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "meminfo")
			if err := os.WriteFile(path, []byte(c.meminfo), 0o644); err != nil {
				t.Fatal(err)
			}
			getenv := func(name string) string { return map[string]string{"GOGC": c.gogc}[name] }
			if got := strings.Join(collector(getenv, path), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
