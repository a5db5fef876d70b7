package cloudprovider_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzScopeScript runs the script in every shell that is here, for any cluster
// name and arguments (separated by NUL, which no argument can hold), and compares
// what the docker CLI gets with what the rule says in Go.
func FuzzScopeScript(f *testing.F) {
	for _, c := range scopeCases() {
		f.Add("my.cluster-1", strings.Join(c.args, "\x00"))
	}
	for _, cluster := range hostile() {
		f.Add(cluster, strings.Join([]string{"ps", "-a", "--filter", nodeKey, "-f" + proxyKey, cluster}, "\x00"))
	}
	var all []scoped
	for _, shell := range shells(f) {
		all = append(all, newScoped(f, shell))
	}
	f.Fuzz(func(t *testing.T, cluster, joined string) {
		if cluster == "" || strings.Contains(cluster, "\x00") || len(joined) > 4096 {
			return // the environment can't hold it, or the script refuses it
		}
		var args, want []string
		if joined != "" {
			args = strings.Split(joined, "\x00")
		}
		want = narrowed(cluster, args)
		for _, s := range all {
			if got := s.run(t, cluster, args...); !slices.Equal(got, want) {
				t.Errorf("%s: cluster %q, docker %q\n got %q\nwant %q", s.shell, cluster, args, got, want)
			}
		}
	})
}

var (
	carriesOthers = regexp.MustCompile(`^(exec|run|create) |^container (exec|run|create)$`)
	bareFilter    = regexp.MustCompile(`(?s)^(--filter=|-([^-f][^f]*)?f=?)(label=.*)$`)
	takesFilter   = regexp.MustCompile(`(?s)^(--filter|-([^-f][^f]*)?f)$`)
)

// narrowed is the rule: a filter on a bare label of kind's or the cloud provider's
// gets the cluster as its value, unless the command carries another program's arguments.
func narrowed(cluster string, args []string) []string {
	out := slices.Clone(args)
	words := append(slices.Clone(args), "", "")
	if carriesOthers.MatchString(words[0] + " " + words[1]) {
		return out
	}
	for i, arg := range args {
		filter := arg
		if i == 0 || !takesFilter.MatchString(args[i-1]) || !strings.HasPrefix(arg, "label=") {
			parts := bareFilter.FindStringSubmatch(arg)
			if parts == nil {
				continue
			}
			filter = parts[3]
		}
		if filter == nodeKey || filter == proxyKey {
			out[i] = arg + "=" + cluster
		}
	}
	return out
}
