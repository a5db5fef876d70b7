package main

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const nodeList = `{"items": [
  {"metadata": {"name": "worker"}, "spec": {"podCIDRs": ["fd00:10:244:1::/64", "10.244.1.0/24"]},
   "status": {"addresses": [{"type": "Hostname", "address": "worker"}, {"type": "InternalIP", "address": "fc00::3"},
                            {"type": "InternalIP", "address": "172.18.0.3"}]}},
  {"metadata": {"name": "control-plane"}, "spec": {"podCIDRs": ["10.244.0.0/24"]},
   "status": {"addresses": [{"type": "InternalIP", "address": "172.18.0.2"}]}},
  {"metadata": {"name": "young"}, "spec": {}, "status": {}}]}`

// server is an API server that has the node list, and a kubeconfig file for it.
func server(t *testing.T, status int) (kubeconfig string) {
	t.Helper()
	api := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/nodes" {
			t.Errorf("asked for %s", r.URL)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, nodeList)
	}))
	api.StartTLS()
	t.Cleanup(api.Close)
	encode := func(kind string, der []byte) string {
		return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	pair := api.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := encode("CERTIFICATE", pair.Certificate[0])
	return writeFile(t, fmt.Sprintf("clusters:\n- cluster: {server: %q, certificate-authority-data: %q}\n"+
		"users:\n- user: {client-certificate-data: %q, client-key-data: %q}\n",
		api.URL, certificate, certificate, encode("PRIVATE KEY", key)))
}

func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestListNodes(t *testing.T) {
	t.Parallel()
	nodes, err := listNodes(t.Context(), server(t, http.StatusOK), "worker")
	if err != nil {
		t.Fatal(err)
	}
	want := "[control-plane (172.18.0.2, pods 10.244.0.0/24) worker (172.18.0.3, pods 10.244.1.0/24) young (invalid IP, pods invalid Prefix)]"
	if got := fmt.Sprint(nodes); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if self, ok := own(nodes); !ok || self.name != "worker" {
		t.Errorf("runs on %v, %t", self, ok)
	}
	if _, ok := own(nodes[:1]); ok {
		t.Error("found this node where it is not")
	}
}

func TestListNodesFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"forbidden":  {server(t, http.StatusForbidden), "403 Forbidden"},
		"absent":     {filepath.Join(t.TempDir(), "absent"), "no such file"},
		"not yaml":   {writeFile(t, "\t"), "read"},
		"incomplete": {writeFile(t, "clusters: []\n"), "no cluster or no user"},
		"bad base64": {writeFile(t, "clusters: [{cluster: {certificate-authority-data: '*'}}]\nusers: [{}]\n"), "illegal base64"},
	} {
		if _, err := listNodes(t.Context(), c.file, "worker"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestMasqueradeSparesPods(t *testing.T) {
	t.Parallel()
	nodes := []node{{pods: netip.MustParsePrefix("10.244.0.0/24"), self: true}, {name: "young"}, {pods: netip.MustParsePrefix("10.244.1.0/24")}}
	want := "*nat\n:KIND-MASQ - [0:0]\n-A KIND-MASQ -d 10.244.0.0/24 -j RETURN\n" +
		"-A KIND-MASQ -d 10.244.1.0/24 -j RETURN\n-A KIND-MASQ -j MASQUERADE\nCOMMIT\n"
	if got := masqueradeRules(nodes); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestApplyWaitsForPodAddresses(t *testing.T) {
	t.Parallel()
	for _, nodes := range [][]node{nil, {{self: true}}} {
		if err := apply(t.Context(), nodes); err == nil || !strings.Contains(err.Error(), "no pod addresses yet") {
			t.Errorf("%v: got %v", nodes, err)
		}
	}
}

func TestWriteConfig(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "net.d", "net.conflist")
	pods := netip.MustParsePrefix("10.244.0.0/24")
	if err := writeConfig(path, pods, 1400); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Plugins []struct {
			Type string
			MTU  int
			IPAM struct{ Ranges [][]struct{ Subnet string } }
		}
	}
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if ptp := config.Plugins[0]; ptp.Type != "ptp" || ptp.MTU != 1400 || ptp.IPAM.Ranges[0][0].Subnet != pods.String() {
		t.Errorf("got %s", text)
	}
	past := time.Unix(1, 0)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	if err := writeConfig(path, pods, 1400); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("the same configuration was written again, %v", err)
	}
	if err := writeConfig(path, pods, 1500); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.ModTime().Equal(past) {
		t.Errorf("another configuration was not written, %v", err)
	}
}

func TestMTUOfAnAbsentDevice(t *testing.T) {
	t.Parallel()
	if got := deviceMTU("absent0"); got != defaultMTU {
		t.Errorf("got %d, want %d", got, defaultMTU)
	}
}
