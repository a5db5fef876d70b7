package kubeconfig_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/magekind/magekind/kindenv/internal/kubeconfig"
)

func ExampleParse() {
	_, err := kubeconfig.Parse([]byte("kind: Config\n"))
	fmt.Println(err)
	// Output: read access from kubeconfig: no current-context
}

func TestParse(t *testing.T) {
	t.Parallel()
	raw := string(ours("x", "https://127.0.0.1:1"))
	two := strings.Replace(raw, "clusters:\n", "clusters:\n- name: other\n  cluster: {server: elsewhere}\n", 1)
	pem := []byte("pem of x")
	want := kubeconfig.Access{Server: "https://127.0.0.1:1", CA: pem, Cert: pem, Key: pem}
	for _, good := range []string{raw, two} {
		if got, err := kubeconfig.Parse([]byte(good)); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("got %+v and error %v, want %+v", got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	raw := string(ours("x", "https://127.0.0.1:1"))
	data := strings.TrimSpace(raw[strings.Index(raw, "client-key-data: ")+len("client-key-data: "):])
	tests := []struct{ old, new, want string }{
		{"apiVersion", "\t", "parse kubeconfig"},
		{"current-context: kind-x", "current-context: y", `"y" is not among the contexts`},
		{"    cluster: kind-x", "    cluster: y", `no server for cluster "y"`},
		{"    user: kind-x", "    user: y", `no client certificate for user "y"`},
		{"https://127.0.0.1:1", `""`, `no server for cluster "kind-x"`},
		{"client-key-data: " + data, "token: a", "client-key-data is missing"},
		{"client-certificate-data: " + data, "token: a", "client-certificate-data is missing"},
		{"certificate-authority-data: " + data, "certificate-authority-data: '*'", "certificate-authority-data: illegal base64"},
	}
	for _, test := range tests {
		changed := strings.Replace(raw, test.old, test.new, 1)
		if changed == raw {
			t.Fatalf("%q is not in the kubeconfig", test.old)
		}
		access, err := kubeconfig.Parse([]byte(changed))
		fails(t, err, test.want)
		if !reflect.DeepEqual(access, kubeconfig.Access{}) {
			t.Errorf("got %+v beside error %v", access, err)
		}
	}
}
