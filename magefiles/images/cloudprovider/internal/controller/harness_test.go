package controller_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/controller"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/klog"
)

func pkcs8(key any) ([]byte, error) { return x509.MarshalPKCS8PrivateKey(key) }

// harness runs a controller against fakes.
type harness struct {
	t      *testing.T
	docker *fakeDocker
	log    *lockedBuffer
	stop   func() error // ends the controller and returns what Run did
}

func start(t *testing.T, d *fakeDocker, change func(*controller.Settings)) *harness {
	t.Helper()
	s := controller.Settings{
		ProxyImage: "standin:test", Network: "kind", GatewayChannel: "disabled", CRDs: filepath.Join(d.dir, "crds"),
		Poll: 20 * time.Millisecond, PendingPoll: 20 * time.Millisecond,
		Ready: func(context.Context, string) error { return nil },
	}
	if change != nil {
		change(&s)
	}
	h := &harness{t: t, docker: d, log: &lockedBuffer{}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- controller.New(s, d.cli(), klog.New(h.log, time.Now)).Run(ctx) }()
	h.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() {
		_ = h.stop()
		if t.Failed() {
			t.Logf("the controller's log:\n%s", h.log.String())
		}
	})
	return h
}

// eventually waits for a condition, as long as the test may run.
func (h *harness) eventually(what string, ok func() bool) {
	h.t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	h.t.Fatalf("it never came to this: %s", what)
}

func (h *harness) logs(part string) {
	h.t.Helper()
	h.eventually("the log says "+part, func() bool { return strings.Contains(h.log.String(), part) })
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func service(name, kind string, ports ...tree) tree {
	return tree{
		"metadata": tree{"name": name, "namespace": "default"},
		"spec":     tree{"type": kind, "ports": ports, "ipFamilies": []string{"IPv4"}},
	}
}

func tcp(port, nodePort int) tree {
	return tree{"protocol": "TCP", "port": port, "nodePort": nodePort}
}

func node(name, ip string, ready bool, labels tree) tree {
	status := map[bool]string{true: "True", false: "False"}[ready]
	return tree{
		"metadata": tree{"name": name, "labels": labels},
		"status": tree{
			"addresses":  []tree{{"type": "InternalIP", "address": ip}, {"type": "Hostname", "address": name}},
			"conditions": []tree{{"type": "Ready", "status": status}},
		},
	}
}

// put stores an object as a user would, whatever version is there.
func (f *fakeAPI) put(path string, o tree) {
	f.t.Helper()
	raw, err := json.Marshal(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var copied tree
	if err := json.Unmarshal(raw, &copied); err != nil {
		f.t.Fatal(err)
	}
	if old := f.objects[path]; old != nil {
		copied = merged(old, copied).(tree)
	}
	f.store(path, copied)
}

func (f *fakeAPI) get(path string) (o tree, ok bool) {
	code, answer := f.answer(http.MethodGet, path, "", nil)
	if code != http.StatusOK {
		return nil, false
	}
	return answer.(tree), true
}

// address is the first address in a Service's status.
func (f *fakeAPI) address(path string) string {
	o, _ := f.get(path)
	raw, err := json.Marshal(o["status"])
	if err != nil {
		f.t.Fatal(err)
	}
	var status struct {
		LoadBalancer struct{ Ingress []struct{ IP string } }
	}
	_ = json.Unmarshal(raw, &status)
	if len(status.LoadBalancer.Ingress) == 0 {
		return ""
	}
	return status.LoadBalancer.Ingress[0].IP
}
