// Command hyperkube holds the Kubernetes commands of a kind node in one binary,
// so that what they share is linked and stored once. It runs the command that
// the base name of os.Args[0], a symbolic link, or else the first argument names.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata" // the time zones of CronJobs

	"github.com/spf13/cobra"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app"
	kubeadmerrors "k8s.io/kubernetes/cmd/kubeadm/app/util/errors"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	commands := commands()
	name := filepath.Base(os.Args[0])
	if commands[name] == nil && len(os.Args) > 1 {
		name, os.Args = os.Args[1], os.Args[1:]
	}
	run := commands[name]
	if run == nil {
		names := slices.Sorted(maps.Keys(commands))
		fmt.Fprintf(os.Stderr, "usage: hyperkube {%s} [arguments]\n", strings.Join(names, "|"))
		os.Exit(2)
	}
	run()
}

// commands returns the mains of all commands by name.
func commands() map[string]func() {
	return map[string]func(){
		"kube-apiserver":          daemon(apiserver.NewAPIServerCommand),
		"kube-controller-manager": daemon(controllers.NewControllerManagerCommand),
		"kube-scheduler":          daemon(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
		"kube-proxy":              daemon(proxy.NewProxyCommand),
		"kubelet":                 daemon(func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) }),
		"kubeadm":                 func() { kubeadmerrors.HandleError(kubeadm.Run()) },
		"kubectl":                 runKubectl,
	}
}

// daemon returns a main that runs the command made by build as upstream's does.
func daemon(build func() *cobra.Command) func() {
	return func() { os.Exit(cli.Run(build())) }
}

func runKubectl() {
	// The verbosity has to be set before the flags are parsed: plugins are run before that.
	_, _ = logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}
