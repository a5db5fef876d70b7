package engine

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

func TestFreeSubnet(t *testing.T) {
	t.Parallel()
	for used, want := range map[string]string{
		"":                                          "172.31.255.0/24",
		"172.17.0.0/16 192.168.1.0/24":              "172.31.255.0/24",
		"172.31.0.0/16":                             "172.30.255.0/24",
		"172.31.255.128/25 172.30.0.0/15":           "172.29.255.0/24",
		"172.16.0.0/12":                             "192.168.253.0/24",
		"172.16.0.0/12 192.168.253.1/32":            "192.168.252.0/24",
		"172.16.0.0/12 192.168.0.0/16":              "10.213.255.0/24",
		"172.16.0.0/12 192.168.0.0/16 10.0.0.0/8":   "",
		"172.16.0.0/12 192.168.0.0/16 10.128.0.0/9": "",
	} {
		var prefixes []netip.Prefix
		for _, p := range strings.Fields(used) {
			prefixes = append(prefixes, netip.MustParsePrefix(p).Masked())
		}
		got, err := freeSubnet(prefixes)
		if want == "" {
			if err == nil {
				t.Errorf("beside %s: got %v, want an error", used, got)
			}
			continue
		}
		if err != nil || got.String() != want {
			t.Errorf("beside %s: got %v, %v, want %s", used, got, err, want)
		}
	}
}

func TestParseRoutes(t *testing.T) {
	t.Parallel()
	const table = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	0	00000000	0	0	0
tun0	00000080	010200C0	0003	0	0	0	00000080	0	0	0
docker0	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0
eth0	000200C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
tun0	0000000A	00000000	0001	0	0	50	000000FF	0	0	0
tun0	0101A8C0	00000000	0005	0	0	50	FFFFFFFF	0	0	0
`
	got, err := parseRoutes(strings.NewReader(table))
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{
		netip.MustParsePrefix("172.17.0.0/16"), netip.MustParsePrefix("192.0.2.0/24"),
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.1/32"),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{"t\ne 00 0 1 0 0 0 00000000", "t\ne 0000zz00 0 1 0 0 0 00000000"} {
		if got, err := parseRoutes(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
}
