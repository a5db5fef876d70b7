//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// kubectl runs the cluster's own kubectl on this machine, through the
// kubeconfig that env:up merged its entry into.
func (p *project) kubectl(args ...string) (string, error) {
	p.t.Helper()
	program := filepath.Join(p.dir, "bin", "kubectl")
	if _, err := os.Stat(program); err != nil {
		if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
			return "", err
		}
		docker(p.t.Context(), p.t, "cp", "-L", p.name+"-control-plane:/usr/bin/kubectl", program)
	}
	args = append([]string{"--context=kind-" + p.name}, args...)
	cmd := exec.CommandContext(p.t.Context(), program, args...)
	cmd.Env = p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// assertNodes checks, from outside the cluster, that it has so many nodes and
// that all are Ready.
func (p *project) assertNodes(want int) {
	p.t.Helper()
	out, err := p.kubectl("get", "nodes", "-o",
		`jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}`)
	if err != nil {
		p.t.Fatal(err)
	}
	nodes := strings.Fields(out)
	if len(nodes) != want {
		p.t.Errorf("nodes = %q; want %d", nodes, want)
	}
	for _, node := range nodes {
		if !strings.HasSuffix(node, "=True") {
			p.t.Errorf("node %s is not Ready", node)
		}
	}
}

// assertServes waits until the project's load balancer answers with the
// project's page, and returns its address.
func (p *project) assertServes() string {
	p.t.Helper()
	var address string
	eventually(p.t, 3*time.Minute, func(ctx context.Context) error {
		ip, err := p.kubectl("get", "service", "hello", "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}")
		if err != nil {
			return err
		}
		if ip == "" {
			return fmt.Errorf("service hello of %s has no address yet", p.name)
		}
		address = "http://" + ip
		page, err := get(ctx, address)
		if err != nil {
			return err
		}
		if !strings.Contains(page, p.name) {
			return fmt.Errorf("%s answers %q; want the page of %s", address, page, p.name)
		}
		return nil
	})
	return address
}

// get returns the page at url, which must be served with status 200.
func get(ctx context.Context, url string) (string, error) {
	return getWithin(ctx, 5*time.Second, url)
}

func getWithin(ctx context.Context, limit time.Duration, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s: %s", url, resp.Status, body)
	}
	return string(body), nil
}

// ownKubeconfigs are the kubeconfig files of the project's cluster in its cache.
func (p *project) ownKubeconfigs() []string {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.cache, "magekind", "*", p.name, "kubeconfig"))
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}

func (p *project) assertNoKubeconfig() {
	p.t.Helper()
	if files := p.ownKubeconfigs(); len(files) > 0 {
		p.t.Errorf("kubeconfig files left: %q", files)
	}
	merged, err := os.ReadFile(p.kubeconfig)
	if err != nil && !os.IsNotExist(err) {
		p.t.Error(err)
	}
	if strings.Contains(string(merged), p.name) {
		p.t.Errorf("the merged kubeconfig still names %s:\n%s", p.name, merged)
	}
}
