package debian

import "testing"

func TestMirrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mirror, security string
		sources                []string
	}{
		{name: "nothing said", mirror: defaultMirror, security: defaultSecurity},
		{
			name: "deb822", mirror: "http://mirror.example/debian", security: "https://mirror.example/debian-security",
			sources: []string{
				"Types: deb\nURIs: http://mirror.example/debian/\nSuites: trixie\n# http://snapshot.example/archive/debian\n",
				"Types: deb\nURIs: https://mirror.example/debian-security\nSuites: trixie-security\n",
			},
		},
		{
			name: "one line", mirror: "http://mirror.example/debian", security: defaultSecurity,
			sources: []string{"deb [signed-by=/k] http://mirror.example/debian bookworm main\ndeb http://other.example/apt x y\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mirror, security := mirrors(c.sources)
			if mirror != c.mirror || security != c.security {
				t.Errorf("got %q and %q, want %q and %q", mirror, security, c.mirror, c.security)
			}
		})
	}
}
