package kindenv

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/kindenv/internal/dump"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// The files of a dump, but for those of nodes.
const (
	errorFile      = "error.txt"
	containersFile = "containers.json"
	podsFile       = "kubernetes/pods.txt"
	eventsFile     = "kubernetes/events.txt"
)

// dumpedLines is how much of each log is kept.
const dumpedLines = 2000

// logFile is a container's output; kubeletFile is the journal of a node's kubelet.
func logFile(container string) string { return "logs/" + container + ".log" }
func kubeletFile(node string) string  { return "nodes/" + node + "/kubelet.log" }

// collect reads everything that helps to understand a failure, within [dumpBudget].
func (s *session) collect(ctx context.Context) []dump.File {
	ctx, cancel := context.WithTimeoutCause(ctx, dumpBudget, fmt.Errorf("not done after %s", dumpBudget))
	defer cancel()
	var containers nodes
	found := dump.Collect(ctx, []dump.Source{
		{Name: "versions.txt", Read: s.writeVersions},
		{Name: containersFile, Read: func(ctx context.Context, out io.Writer) (err error) {
			all, err := s.everything(ctx)
			if err == nil {
				err = writeJSON(out, all)
				containers = all
			}
			return err
		}},
	})
	sources := []dump.Source{{Name: "status.txt", Read: s.writeStatus}}
	if ctx.Err() == nil { // else somebody may still be writing containers
		sources = append(sources, s.sourcesIn(containers)...)
	}
	return append(found, dump.Collect(ctx, sources)...)
}

// sourcesIn are what containers, and Kubernetes in them, can tell.
func (s *session) sourcesIn(containers nodes) (sources []dump.Source) {
	streamer, streams := s.eng.(engine.LogStreamer)
	execer, execs := s.eng.(engine.Execer)
	asked := false
	for _, container := range containers {
		if streams {
			sources = append(sources, dump.Source{Name: logFile(container.Name), Read: func(ctx context.Context, out io.Writer) error {
				return streamer.Logs(ctx, container.ID, engine.LogOptions{Tail: dumpedLines}, out)
			}})
		}
		role := container.Labels[kind.LabelRole]
		if !execs || container.State != engine.Running || role != kind.RoleControlPlane && role != kind.RoleWorker {
			continue
		}
		if role == kind.RoleControlPlane && !asked {
			sources = append(sources, kubernetesSources(execer, container)...)
			asked = true
		}
		sources = append(sources, nodeSources(execer, container)...)
	}
	return sources
}

// nodeSources are a node's journals and the logs of its pods.
func nodeSources(execer engine.Execer, node engine.Container) []dump.Source {
	journal := fmt.Sprint("journalctl --no-pager --no-hostname --lines=", dumpedLines)
	const pods = `for log in /var/log/pods/*/*/*.log; do [ -e "$log" ] && echo "==> $log" && tail -n 100 "$log"; done; true`
	folder := "nodes/" + node.Name + "/"
	return []dump.Source{
		inNode(kubeletFile(node.Name), execer, node, journal+" --unit=kubelet"),
		inNode(folder+"containerd.log", execer, node, journal+" --unit=containerd"),
		inNode(folder+"journal.log", execer, node, journal),
		inNode(folder+"pods.log", execer, node, pods),
	}
}

// kubernetesSources are asked in a control plane, also while its API server can't
// be reached from here. No Secret is among them, and no description of the user's pods.
func kubernetesSources(execer engine.Execer, node engine.Container) (sources []dump.Source) {
	const kubectl = "timeout 10 kubectl --kubeconfig=/etc/kubernetes/admin.conf --request-timeout=5s "
	for _, one := range [][2]string{
		{podsFile, "get pods -A -o wide"},
		{eventsFile, "get events -A --sort-by=.lastTimestamp"},
		{"kubernetes/nodes-and-services.txt", "get nodes,services -A -o wide"},
		{"kubernetes/all.txt", "get all -A -o wide"},
		{"kubernetes/gateways.txt", "get gatewayclasses,gateways,httproutes,ingressclasses,ingresses -A -o wide"},
		{"kubernetes/describe-nodes.txt", "describe nodes"},
		{"kubernetes/describe-kube-system.txt", "describe pods -n kube-system"},
	} {
		sources = append(sources, inNode(one[0], execer, node, kubectl+one[1]))
	}
	return sources
}

// inNode is what a command says in a node.
func inNode(name string, execer engine.Execer, node engine.Container, command string) dump.Source {
	return dump.Source{Name: name, Read: func(ctx context.Context, out io.Writer) error {
		code, err := execer.Exec(ctx, node.ID, []string{"sh", "-c", command}, out)
		if err == nil && code != 0 {
			err = fmt.Errorf("%s: exit code %d", command, code)
		}
		return err
	}}
}

func (s *session) writeStatus(ctx context.Context, out io.Writer) error {
	status, err := s.Status(ctx) // by a session of its own: this one is in use
	if err == nil {
		_, err = fmt.Fprintln(out, status)
	}
	return err
}

// writeVersions tells what this was done with.
func (s *session) writeVersions(_ context.Context, out io.Writer) error {
	at := s.eng.Endpoint()
	lines := []string{
		"go " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		fmt.Sprintf("%s %s at %s, cgroup v%d", at.Kind, at.Version, at.Host, at.CgroupVersion),
		"node image " + or(s.cfg.NodeImage, or(s.cfg.Cluster.NodeImage, kind.DefaultImage)),
		"cloud provider image " + or(s.cfg.CloudProvider.Image, cloudprovider.DefaultImage),
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		lines = append(lines, build.Main.Path+" "+build.Main.Version)
		for _, dependency := range build.Deps {
			if strings.HasSuffix(dependency.Path, "/magekind") || strings.HasSuffix(dependency.Path, "/kind") {
				lines = append(lines, dependency.Path+" "+dependency.Version)
			}
		}
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
