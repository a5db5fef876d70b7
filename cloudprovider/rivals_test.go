package cloudprovider_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
)

func owned(owner string) map[string]string {
	return map[string]string{cloudprovider.LabelRole: cloudprovider.RoleController, cloudprovider.LabelOwner: owner}
}

func (f fixture) status(c *cloudprovider.Controller) cloudprovider.Status {
	f.t.Helper()
	status, err := c.Status(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return status
}

func TestRivals(t *testing.T) {
	t.Parallel()
	const upstream = "/cloud-provider-kind/cloud-controller-manager"
	serve := []string{"/bin/cloud-provider-kind", "--gateway-channel=standard"}
	for name, test := range map[string]struct {
		container engine.Container
		rival     bool
	}{
		"upstream's image":        {engine.Container{Image: cloudprovider.DefaultImage}, true},
		"another tag":             {engine.Container{Image: "registry.k8s.io" + upstream + ":v9"}, true},
		"a digest":                {engine.Container{Image: "registry.k8s.io" + upstream + "@sha256:" + strings.Repeat("a", 64)}, true},
		"a mirror":                {engine.Container{Image: "mirror.example.com:5000/k8s" + upstream + ":v1"}, true},
		"an image of one's own":   {engine.Container{Image: "localhost/cloud-provider-kind:dev"}, true},
		"its program":             {engine.Container{Image: "example.com/tools", Command: serve}, true},
		"its program under tini":  {engine.Container{Image: "example.com/tools", Command: append([]string{"/sbin/tini", "--"}, serve...)}, true},
		"without a flag":          {engine.Container{Image: "example.com/tools", Command: serve[:1]}, true},
		"about to run again":      {engine.Container{Image: cloudprovider.DefaultImage, State: engine.Restarting}, true},
		"ours for the engine":     {engine.Container{Labels: owned("")}, true},
		"exited":                  {engine.Container{Image: cloudprovider.DefaultImage, State: engine.Exited}, false},
		"ours for another":        {engine.Container{Image: cloudprovider.DefaultImage, Command: serve, Labels: owned("other")}, false},
		"an older one of another": {engine.Container{Image: cloudprovider.DefaultImage, Labels: map[string]string{cloudprovider.LabelRole: "controller"}}, false},
		"a helper of another": {engine.Container{Image: cloudprovider.DefaultImage, Labels: map[string]string{
			cloudprovider.LabelRole: "cloud-provider-list-images", cloudprovider.LabelOwner: "",
		}}, false},
		"a question":     {engine.Container{Image: cloudprovider.DefaultImage, Command: []string{"/bin/cloud-provider-kind", "list-images"}}, false},
		"a proxy":        {engine.Container{Command: serve, Labels: map[string]string{cloudprovider.LabelCluster: "other"}}, false},
		"a node":         {engine.Container{Command: serve, Labels: map[string]string{nodeKeyIs: "other"}}, false},
		"an editor":      {engine.Container{Image: "example.com/tools", Command: []string{"vi", "cloud-provider-kind"}}, false},
		"unrelated":      {engine.Container{Image: "example.com/kind"}, false},
		"an image by ID": {engine.Container{Image: "sha256:" + strings.Repeat("a", 64)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				test.container.Name = "other-one"
				id := f.Put(test.container)
				before := f.container("other-one")
				var notices []string
				cfg := config()
				cfg.Notice = func(message string) { notices = append(notices, message) }
				c := f.controller(cfg)
				f.mustStart(c)
				if err := c.Start(t.Context()); err != nil { // changes nothing
					t.Fatal(err)
				}
				warnings := f.status(c).Warnings
				if !slices.Equal(warnings, notices) || len(warnings) > 1 || len(warnings) == 1 != test.rival {
					t.Fatalf("got warnings %q and notices %q, want it named: %t", warnings, notices, test.rival)
				}
				if test.rival {
					wantText(t, warnings[0], `Container "other-one"`, `"demo"`, "docker rm -f other-one")
				}
				if after := f.container("other-one"); after.ID != id || after.State != before.State {
					t.Errorf("it was touched: %+v", after)
				}
			})
		})
	}
}

// TestAnEngineWideControllerHasNoRivals: it serves what there is.
func TestAnEngineWideControllerHasNoRivals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.Put(engine.Container{Name: "upstream", Image: cloudprovider.DefaultImage})
		f.mustStart(f.controller(config()))
		cfg := config()
		cfg.ClusterName = ""
		if got := f.status(f.controller(cfg)).Warnings; len(got) > 0 {
			t.Errorf("got warnings %q, want none", got)
		}
	})
}

// proc is a /proc with one process of that command line.
func proc(status, environment string, command ...string) fstest.MapFS {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	return fstest.MapFS{
		"4711/cmdline": file(strings.Join(command, "\x00") + "\x00"),
		"4711/status":  file("Name:\tx\n" + status + "Pid:\t4711\n"),
		"4711/environ": file(environment),
		"1/cmdline":    file("/sbin/init\x00"),
		"2/cmdline":    file(""), // the kernel's own
		"3/status":     file("NSpid:\t3\n"),
		"self/cmdline": file("cloud-provider-kind\x00"),
		"uptime":       file("1 2"),
	}
}

func TestRivalsOnTheHost(t *testing.T) {
	t.Parallel()
	const own, contained = "NSpid:\t4711\n", "NSpid:\t4711\t1\n"
	for name, test := range map[string]struct {
		proc  fstest.MapFS
		goos  string
		at    engine.Endpoint
		rival bool
	}{
		"by path":           {proc: proc(own, "", "/usr/local/bin/cloud-provider-kind", "--gateway-channel=standard"), rival: true},
		"from PATH":         {proc: proc(own, "", "cloud-provider-kind"), rival: true},
		"an older kernel":   {proc: proc("", "", "cloud-provider-kind"), rival: true},
		"the same engine":   {proc: proc(own, "A=b\x00DOCKER_HOST=unix:///run/docker.sock\x00", "cloud-provider-kind"), rival: true},
		"another engine":    {proc: proc(own, "A=b\x00DOCKER_HOST=unix:///run/other.sock\x00", "cloud-provider-kind")},
		"in a container":    {proc: proc(contained, "", "cloud-provider-kind")},
		"another command":   {proc: proc(own, "", "cloud-provider-kind", "list-images")},
		"its help":          {proc: proc(own, "", "cloud-provider-kind", "--help")},
		"its mother":        {proc: proc(own, "", "sudo", "cloud-provider-kind")},
		"alike":             {proc: proc(own, "", "cloud-provider-kind-tests")},
		"not on Linux":      {proc: proc(own, "", "cloud-provider-kind"), goos: "darwin"},
		"a remote engine":   {proc: proc(own, "", "cloud-provider-kind"), at: engine.Endpoint{Host: "unix:///var/run/docker.sock", Kind: engine.Docker, Remote: true}},
		"there is no /proc": {proc: fstest.MapFS{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t)
				if test.at.Host != "" {
					f.SetEndpoint(test.at)
				}
				c := f.controller(config())
				c.SetProcesses(test.proc)
				if test.goos != "" {
					c.SetGOOS(test.goos)
				}
				warnings := f.status(c).Warnings
				if len(warnings) == 1 != test.rival {
					t.Fatalf("got warnings %q, want it named: %t", warnings, test.rival)
				}
				if test.rival {
					wantText(t, warnings[0], "Process 4711", "cloud-provider-kind", `"demo"`, "kill -9 4711")
				}
			})
		})
	}
}
