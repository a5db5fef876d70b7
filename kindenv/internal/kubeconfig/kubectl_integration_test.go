//go:build integration && unix

package kubeconfig_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// kubectl is the real one, out of the node image that the environment names.
func kubectl(t *testing.T) string {
	t.Helper()
	image := os.Getenv("MAGEKIND_E2E_NODE_IMAGE")
	if image == "" {
		t.Skip("MAGEKIND_E2E_NODE_IMAGE names no node image")
	}
	docker := func(args ...string) string {
		out, err := exec.Command("docker", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	id := docker("create", image)
	defer docker("rm", "-v", id)
	program := filepath.Join(t.TempDir(), "kubectl")
	docker("cp", "-L", id+":/usr/bin/kubectl", program)
	return program
}

// TestEightProcessesAndTheRealKubectl has eight processes merge and remove, while
// kubectl adds contexts. Nobody loses anything.
func TestEightProcessesAndTheRealKubectl(t *testing.T) {
	t.Parallel()
	program, path := kubectl(t), filepath.Join(t.TempDir(), "config")
	write(t, path, theirs)
	set := func(ctx context.Context, name string) error {
		cmd := exec.CommandContext(ctx, program, "--kubeconfig="+path, "config", "set-context", name, "--cluster=work")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("kubectl: %w: %s", err, out)
		}
		return nil
	}
	if err := set(t.Context(), "tool"); err != nil { // it drops what it does not know, and sorts
		t.Fatal(err)
	}
	want := foreign(t, path)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if out, err := process(t, "5", path, fmt.Sprint("p", i)).CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		all.Wait()
		close(ended)
	}()
	var names []string
	tries, refused := 0, 0
	for running := true; running; tries++ {
		select {
		case <-ended:
			running = false
		default:
		}
		name := fmt.Sprintf("tool-%03d", tries)
		switch err := set(t.Context(), name); {
		case err == nil:
			names = append(names, name)
		case strings.Contains(err.Error(), ".lock"):
			refused++ // it waits for nobody
		default:
			t.Fatal(err)
		}
	}
	contexts, _ := want["contexts"].([]any)
	for _, name := range names {
		contexts = append(contexts, map[string]any{"name": name, "context": map[string]any{"cluster": "work", "user": ""}})
	}
	want["contexts"] = contexts
	got := foreign(t, path)
	for _, doc := range []map[string]any{got, want} {
		list, _ := doc["contexts"].([]any)
		slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	same(t, got, want)
	if content := read(t, path); strings.Contains(content, "kind-p") {
		t.Errorf("entries are left:\n%s", content)
	}
	onlyFiles(t, filepath.Dir(path), "config")
	t.Logf("kubectl wrote %d times and found the file locked %d times", len(names), refused)
}
