package controller_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/yaml"
)

type tree = map[string]any

// fakeAPI is an API server of objects by path, with merge patches, versions,
// finalizers, field selection by type, and watches that say when to look.
type fakeAPI struct {
	t       *testing.T
	server  *httptest.Server
	mu      sync.Mutex
	objects map[string]tree
	version int
	changed chan struct{} // closed and replaced at each change
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	f := &fakeAPI{t: t, objects: map[string]tree{"/api/v1/namespaces/default": {}}, changed: make(chan struct{})}
	f.server = httptest.NewUnstartedServer(f)
	f.server.Config.ErrorLog = log.New(io.Discard, "", 0) // connections that end with a test
	f.server.StartTLS()
	t.Cleanup(f.server.Close)
	t.Cleanup(f.server.CloseClientConnections)
	return f
}

// adminConf is what a node has for a client of this server. The server's own
// key pair serves as the client's: nobody looks whom it is made out to.
func (f *fakeAPI) adminConf() string {
	cert := f.server.TLS.Certificates[0]
	key, err := pkcs8(cert.PrivateKey)
	if err != nil {
		f.t.Fatal(err)
	}
	encode := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	raw, err := yaml.Marshal(tree{
		"clusters": []tree{{"cluster": tree{
			"server": f.server.URL, "certificate-authority-data": encode("CERTIFICATE", f.server.Certificate().Raw),
		}}},
		"users": []tree{{"user": tree{
			"client-certificate-data": encode("CERTIFICATE", cert.Certificate[0]), "client-key-data": encode("PRIVATE KEY", key),
		}}},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return string(raw)
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("watch") != "" {
		f.watch(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	code, answer := f.answer(r.Method, r.URL.Path, r.URL.Query().Get("fieldSelector"), body)
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

// watch tells of every change, and at first of what is there already, as an API
// server does when it is given no resourceVersion.
func (f *fakeAPI) watch(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, `{"type":"ADDED","object":{}}`)
	for {
		f.mu.Lock()
		changed := f.changed
		f.mu.Unlock()
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-changed:
			fmt.Fprintln(w, `{"type":"MODIFIED","object":{}}`)
		}
	}
}

func (f *fakeAPI) answer(method, path, selector string, body []byte) (int, any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	gateways := "/apis/gateway.networking.k8s.io/"
	if strings.HasPrefix(path, gateways) && f.objects[crds+"/gatewayclasses.gateway.networking.k8s.io"] == nil {
		return http.StatusNotFound, "the server could not find the requested resource"
	}
	switch {
	case method == http.MethodPost:
		return f.create(path, body)
	case method == http.MethodPatch:
		return f.patch(strings.TrimSuffix(path, "/status"), body)
	case path == "/api/v1/services" || path == "/api/v1/nodes":
		return http.StatusOK, f.list(path, selector)
	case f.objects[path] == nil:
		return http.StatusNotFound, "not found"
	}
	return http.StatusOK, f.objects[path]
}

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

func (f *fakeAPI) create(collection string, body []byte) (int, any) {
	var o tree
	if err := yaml.Unmarshal(body, &o); err != nil {
		return http.StatusBadRequest, err.Error()
	}
	path := collection + "/" + o["metadata"].(tree)["name"].(string)
	if f.objects[path] != nil {
		return http.StatusConflict, "already exists"
	}
	f.store(path, o)
	return http.StatusCreated, o
}

func (f *fakeAPI) patch(path string, body []byte) (int, any) {
	var change tree
	if err := json.Unmarshal(body, &change); err != nil {
		return http.StatusBadRequest, err.Error()
	}
	o := f.objects[path]
	if o == nil {
		return http.StatusNotFound, "not found"
	}
	meta, _ := change["metadata"].(tree)
	if v := meta["resourceVersion"]; v != nil && v != o["metadata"].(tree)["resourceVersion"] {
		return http.StatusConflict, "the object has been modified"
	}
	f.store(path, merged(o, change).(tree))
	return http.StatusOK, f.objects[path]
}

// store keeps a new version of an object, or lets go one that is being deleted
// and that no finalizer holds. The lock is held.
func (f *fakeAPI) store(path string, o tree) {
	f.version++
	meta := maps.Clone(o["metadata"].(tree)) // readers may still have the old one
	o["metadata"] = meta
	meta["resourceVersion"] = strconv.Itoa(f.version)
	finalizers, _ := meta["finalizers"].([]any)
	if meta["deletionTimestamp"] != nil && len(finalizers) == 0 {
		delete(f.objects, path)
	} else {
		f.objects[path] = o
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeAPI) list(collection, selector string) tree {
	_, resource, _ := strings.Cut(collection, "/api/v1/")
	var items []tree
	for _, path := range slices.Sorted(maps.Keys(f.objects)) {
		o := f.objects[path]
		if !strings.Contains(path, "/"+resource+"/") {
			continue
		}
		spec, _ := o["spec"].(tree)
		if selector != "" && selector != "spec.type="+fmt.Sprint(spec["type"]) {
			continue
		}
		items = append(items, o)
	}
	return tree{"items": items}
}

// merged is RFC 7386 over a copy.
func merged(target, change any) any {
	c, ok := change.(tree)
	if !ok {
		return change
	}
	t, _ := target.(tree)
	t = maps.Clone(t)
	if t == nil {
		t = tree{}
	}
	for key, value := range c {
		if value == nil {
			delete(t, key)
		} else {
			t[key] = merged(t[key], value)
		}
	}
	return t
}
