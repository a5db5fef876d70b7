// Command cloudprovider is magekind's stand-in of the cloud provider for its
// own tests. See README.md for what it keeps of the real one's contract.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sigs.k8s.io/gateway-api/pkg/consts"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/controller"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/docker"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/klog"
	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/proxy"
)

// intro is the log's first line and the help's: nobody must take it for the real one.
const intro = "This is magekind's stand-in of cloud-provider-kind, made for tests. It is not cloud-provider-kind."

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) error {
	log := klog.New(stderr, time.Now)
	if len(args) > 0 {
		switch args[0] {
		case "list-images":
			return listImages(env, stdout)
		case "proxy":
			return proxy.Run(ctx, env(proxy.Env), docker.AdminPort, log.Infof)
		case "configure":
			return proxy.Configure(ctx, stdin)
		}
	}
	o, err := parse(args, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return serve(ctx, o, env, log)
}

// proxyImageEnv names the image of the proxies, which is the stand-in's own:
// whoever packages it knows its name and sets it in the image's configuration.
const proxyImageEnv = "STANDIN_PROXY_IMAGE"

func listImages(env func(string) string, out io.Writer) error {
	image := env(proxyImageEnv)
	if image == "" {
		return fmt.Errorf("%s is not set: the image of this stand-in must carry its own name in it", proxyImageEnv)
	}
	_, err := fmt.Fprintln(out, image)
	return err
}

func serve(ctx context.Context, o options, env func(string) string, log *klog.Logger) error {
	log.Infof("%s", intro)
	for _, f := range o.flags {
		log.Infof("FLAG: --%s=%q", f.name, f.value)
	}
	settings := controller.Settings{
		ProxyImage: env(proxyImageEnv), Network: env("KIND_EXPERIMENTAL_DOCKER_NETWORK"),
		PortMapping: o.portMapping, GatewayChannel: o.gatewayChannel, DefaultIngress: o.defaultIngress,
		CRDs: env("STANDIN_CRDS"), Poll: 5 * time.Second, PendingPoll: time.Second,
	}
	if settings.ProxyImage == "" {
		return fmt.Errorf("%s is not set: there is no image to make proxies of", proxyImageEnv)
	}
	if settings.Network == "" {
		settings.Network = "kind"
	}
	if settings.CRDs == "" {
		settings.CRDs = "/crds"
	}
	if p := env("KIND_EXPERIMENTAL_PROVIDER"); p != "" && p != "docker" {
		log.Infof("KIND_EXPERIMENTAL_PROVIDER=%s is ignored: this stand-in asks docker", p)
	}
	if o.logDumping {
		log.Infof("--enable-log-dumping is ignored by this stand-in")
	}
	log.Infof("Gateway API %s, channel %s", consts.BundleVersion, o.gatewayChannel)
	return controller.New(settings, docker.CLI{}, log).Run(ctx)
}
