//go:build integration

package kindenv_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv"
)

// onNetwork has the clusters of a test on a network of its own, and removes it at the end.
func onNetwork(t *testing.T) (name string) {
	t.Helper()
	name = fmt.Sprintf("magekind-network-%d-%s", os.Getpid(), strings.ToLower(t.Name()))
	t.Setenv(networkVariable, name)
	return name
}

// removeNetworks removes those of a name. Register it before what makes clusters on them.
func (r *real) removeNetworks(t *testing.T, name string) {
	t.Helper()
	ids, err := r.engine.NetworkIDs(context.WithoutCancel(t.Context()), name)
	if err != nil {
		t.Error(err)
	}
	for _, id := range ids {
		if out, err := exec.Command("docker", "network", "rm", id).CombinedOutput(); err != nil {
			t.Errorf("remove network %s: %v: %s", id, err, out)
		}
	}
}

// called adds to an environment's name.
func called(suffix string) func(*kindenv.Config) {
	return func(cfg *kindenv.Config) { cfg.Name += suffix }
}

// makeNetwork makes a network as a client does that does not ask whether there
// is one of that name; newer engines ask all the same.
func makeNetwork(t *testing.T, host, name string) (conflict bool) {
	t.Helper()
	socket, ok := strings.CutPrefix(host, "unix://")
	if !ok {
		t.Skipf("the engine at %q has no socket", host)
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	body, err := json.Marshal(map[string]any{"Name": name, "CheckDuplicate": false})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Post("http://engine/v1.41/networks/create", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusConflict {
		t.Fatalf("make network %q: %s: %s", name, answer.Status, text)
	}
	return answer.StatusCode == http.StatusConflict
}

func TestTwoNetworksOfOneName(t *testing.T) {
	name := onNetwork(t)
	r := newReal(t)
	host := r.engine.Endpoint().Host
	defer r.removeNetworks(t, name)
	if r.engine.Endpoint().Kind != engine.Docker || makeNetwork(t, host, name) || makeNetwork(t, host, name) {
		t.Skip("this engine refuses a second network of one name")
	}
	ids, err := r.engine.NetworkIDs(t.Context(), name)
	if err != nil || len(ids) != 2 {
		t.Fatalf("networks are %q (%v), want two", ids, err)
	}
	err = r.Up(t.Context())
	if !errors.Is(err, cloudprovider.ErrAmbiguousNetwork) {
		t.Fatalf("Up = %v, want %v", err, cloudprovider.ErrAmbiguousNetwork)
	}
	wantError(t, err, name, ids[0][:12], ids[1][:12], "no running containers")
	if left := r.ids(t); len(left) > 0 {
		t.Errorf("containers were made: %q", left)
	}
	status, statusErr := r.Status(t.Context())
	if statusErr != nil || !strings.Contains(status.String(), err.Error()[:60]) {
		t.Errorf("the status does not say so (%v):\n%s", statusErr, status)
	}
	_, command, _ := strings.Cut(err.Error(), "\n  docker ")
	if out, err := exec.Command("docker", strings.Fields(command)...).CombinedOutput(); err != nil {
		t.Fatalf("the remedy %q: %v: %s", command, err, out)
	}
	if status, err := r.Status(t.Context()); err != nil || len(status.Warnings) > 0 {
		t.Errorf("after the remedy the status is (%v)\n%s", err, status)
	}
}

// TestTwoFirstClusters has two projects come up at once on an engine that has
// no network for them yet.
func TestTwoFirstClusters(t *testing.T) {
	name, dir := onNetwork(t), t.TempDir()
	cleaner := newRealIn(t, dir, called("-none"))
	t.Cleanup(func() { cleaner.removeNetworks(t, name) }) // after the clusters' end
	projects := []*real{newRealIn(t, dir, called("-a")), newRealIn(t, dir, called("-b"))}
	var all sync.WaitGroup
	for _, project := range projects {
		all.Go(func() {
			if err := project.Up(t.Context()); err != nil {
				t.Errorf("%s: %v", project.Name(), err)
			}
		})
	}
	all.Wait()
	if ids, err := cleaner.engine.NetworkIDs(t.Context(), name); err != nil || len(ids) != 1 {
		t.Errorf("networks are %q (%v), want one", ids, err)
	}
	withProvider := os.Getenv(cloudProviderImageEnv) != ""
	for _, project := range projects {
		status, err := project.Status(t.Context())
		if err != nil || status.API != "ready" || status.Serves != withProvider || !status.Merged {
			t.Errorf("Status = %+v, %v", status, err)
		}
	}
	for _, project := range projects {
		if err := project.Down(t.Context()); err != nil {
			t.Error(err)
		}
		if left := project.ids(t); len(left) > 0 {
			t.Errorf("%s: containers are left: %q", project.Name(), left)
		}
	}
	if ids, err := cleaner.engine.NetworkIDs(t.Context(), name); err != nil || len(ids) != 1 {
		t.Errorf("after down networks are %q (%v), want the one, which is everyone's", ids, err)
	}
}
