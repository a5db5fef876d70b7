package name_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/name"
)

func ExampleCheck() {
	fmt.Println(name.Check("My_Cluster", 1))
	// Output: invalid cluster name "My_Cluster": use lower-case letters, digits, '-' and '.', with a letter or digit first and around each '.'; for example "my-cluster"
}

func ExampleDerive() {
	fmt.Println(name.Derive("My Project (v2)"))
	// Output: my-project-v2
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		controlPlanes int
		want          []string // what the error says; none: no error
	}{
		{"kind", 1, nil},
		{"0", 1, nil},
		{"a.b-c.1", 1, nil},
		{"a--b", 1, nil},
		{"a-", 1, nil}, // kind and Kubernetes take it: the node's name goes on
		{strings.Repeat("a", 49), 1, nil},
		{strings.Repeat("a", 49), 0, nil},
		{strings.Repeat("a", 40), 3, nil},
		{"", 1, []string{`""`, "use lower-case letters"}},
		{"-", 1, []string{`"-"`}},
		{"-a", 1, []string{`"-a"`, `for example "a"`}},
		{".a", 1, []string{`for example "a"`}},
		{"a.", 1, []string{`for example "a"`}},
		{"a..b", 1, []string{`for example "a.b"`}},
		{"a-.b", 1, []string{`for example "a-b"`}},
		{"a.-b", 1, []string{`for example "a-b"`}},
		{"a_b", 1, []string{`"a_b"`, `for example "a-b"`}},
		{"Ab", 1, []string{`"Ab"`, `for example "ab"`}},
		{"a b", 1, []string{`for example "a-b"`}},
		{"a\n", 1, []string{`"a\n"`, `for example "a"`}},
		{"日本", 1, []string{`"日本"`}},
		{strings.Repeat("a", 50), 1, []string{"50 characters", "one control plane", "49", "for example"}},
		{strings.Repeat("a", 41), 2, []string{"41 characters", "several control planes", "40", "for example"}},
	}
	for _, test := range tests {
		err := name.Check(test.name, test.controlPlanes)
		if (err != nil) != (test.want != nil) {
			t.Errorf("%q with %d control planes: got error %v", test.name, test.controlPlanes, err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: got error %q, want %q in it", test.name, err, want)
			}
		}
	}
}

func TestDerive(t *testing.T) {
	t.Parallel()
	tests := []struct{ from, want string }{
		{"shop", "shop"},
		{"Shop", "shop"},
		{"yaml.v3", "yaml.v3"},
		{"my_shop", "my-shop"},
		{"__my  shop!!", "my-shop"},
		{"a.-b", "a-b"},
		{"a-.b", "a-b"},
		{"a..b", "a.b"},
		{".config", "config"},
		{"a.", "a"},
		{"é", "project-4a99557e40"},
		{strings.Repeat("x", 28) + "-" + strings.Repeat("y", 30), strings.Repeat("x", 28) + "-d8d453e8c5"},
		{strings.Repeat("x", 40), strings.Repeat("x", 40)},
	}
	for _, test := range tests {
		if got := name.Derive(test.from); got != test.want {
			t.Errorf("%q: got %q, want %q", test.from, got, test.want)
		}
	}
}

func TestDeriveTellsApart(t *testing.T) {
	t.Parallel()
	shared := strings.Repeat("team-platform-", 5)[:60]
	seen := map[string]string{}
	for _, from := range []string{shared, shared + "a", shared + "b", shared + "B", strings.ToUpper(shared), "", "/", "日本", "中国", "-"} {
		got := name.Derive(from)
		if other, met := seen[got]; met {
			t.Errorf("%q and %q both give %q", from, other, got)
		}
		seen[got] = from
		if again := name.Derive(from); again != got {
			t.Errorf("%q gives %q and then %q", from, got, again)
		}
	}
}

func FuzzDerive(f *testing.F) {
	for _, seed := range []string{"", "shop", "A.B", "a.-b", "--", "日本", strings.Repeat("é", 30), strings.Repeat("a.", 30), strings.Repeat("x", 29) + "-" + strings.Repeat("x", 30), "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := name.Derive(s)
		if err := name.Check(got, 3); err != nil {
			t.Errorf("%q: %v", s, err)
		}
		if again := name.Derive(got); again != got {
			t.Errorf("%q gives %q, which gives %q", s, got, again)
		}
	})
}

// FuzzCheck holds Check against the rules of those who judge the name later:
// kind's for cluster names, and Kubernetes' for the names of nodes (a DNS
// subdomain, here as RFC 1123 has it) and for label values (63 bytes).
func FuzzCheck(f *testing.F) {
	kind := regexp.MustCompile(`^[a-z0-9.-]+$`)
	part := `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	subdomain := regexp.MustCompile(`^` + part + `(\.` + part + `)*$`)
	for _, seed := range []string{"a", "a-", "a.", "-a", "a.-b", "a-.b", "A", "a\n", "", strings.Repeat("a", 49), strings.Repeat("a", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		node := s + "-control-plane"
		want := kind.MatchString(s) && subdomain.MatchString(node) && len(node) <= 63
		if err := name.Check(s, 1); (err == nil) != want {
			t.Errorf("%q: got error %v, want accepted %v", s, err, want)
		}
	})
}
