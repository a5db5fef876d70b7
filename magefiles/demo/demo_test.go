package demo

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	balancers := []cloudprovider.LoadBalancer{{
		Addresses: []netip.Addr{netip.MustParseAddr("172.18.0.5"), netip.MustParseAddr("fc00::5")},
		Ports: []engine.Port{
			{Host: netip.MustParseAddrPort("0.0.0.0:32768"), ContainerPort: servicePort, Protocol: "tcp"},
			{Host: netip.MustParseAddrPort("[::]:32768"), ContainerPort: servicePort, Protocol: "tcp"},
			{Host: netip.MustParseAddrPort("0.0.0.0:32769"), ContainerPort: 443, Protocol: "tcp"},
		},
	}}
	want := []string{"http://172.18.0.5", "http://[fc00::5]", "http://127.0.0.1:32768"}
	if got := addresses(balancers); !slices.Equal(got, want) {
		t.Errorf("addresses() = %q; want %q", got, want)
	}
}

func TestVisitWaitsForALoadBalancer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	_, _, err := visit(ctx, func(context.Context) ([]cloudprovider.LoadBalancer, error) {
		if asked++; asked == 3 {
			cancel()
		}
		return nil, nil
	})
	if asked != 3 || err == nil || !strings.Contains(err.Error(), "no load balancer yet") {
		t.Errorf("asked %d times, then %v; want three times, then the reason", asked, err)
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Write([]byte("a page"))
	}))
	t.Cleanup(server.Close)
	if page, err := get(t.Context(), server.URL+"/"); err != nil || page != "a page" {
		t.Errorf("get() = %q, %v; want the page", page, err)
	}
	if _, err := get(t.Context(), server.URL+"/busy"); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("get() of a page with status 503: %v; want an error that says so", err)
	}
}
