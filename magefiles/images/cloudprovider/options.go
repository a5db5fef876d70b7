package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// options are the flags of the real cloud provider.
type options struct {
	verbosity      int
	logDumping     bool
	logsDir        string
	portMapping    bool
	gatewayChannel string
	defaultIngress bool
	flags          []setting // all of them, by name, for the log
}

type setting struct{ name, value string }

var errHelp = errors.New("help was asked for")

// parse reads the flags. It refuses, like the real one, flags that it does not
// know, arguments, and channels that it does not know.
func parse(args []string, help io.Writer) (options, error) {
	var o options
	set := flag.NewFlagSet("cloud-provider-kind", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.IntVar(&o.verbosity, "v", 2, "same as --verbosity")
	set.IntVar(&o.verbosity, "verbosity", 2, "accepted and ignored: there is one level")
	set.BoolVar(&o.logDumping, "enable-log-dumping", false, "accepted and ignored: no logs are kept")
	set.StringVar(&o.logsDir, "logs-dir", "", "accepted and ignored")
	set.BoolVar(&o.portMapping, "enable-lb-port-mapping", false, "publish the load balancers' ports on the host")
	set.StringVar(&o.gatewayChannel, "gateway-channel", "standard", "standard, experimental or disabled")
	set.BoolVar(&o.defaultIngress, "enable-default-ingress", true, "make the IngressClass the default one when it is created")
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		printHelp(set, help)
		return o, errHelp
	case err != nil:
		return o, errors.New(strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag: --", 1))
	case set.NArg() > 0:
		return o, fmt.Errorf("unknown command %q for \"cloud-provider-kind\"", set.Arg(0))
	}
	channels := []string{"standard", "experimental", "disabled"}
	if !slices.Contains(channels, o.gatewayChannel) {
		return o, fmt.Errorf("unknown gateway channel %q: it takes %s", o.gatewayChannel, strings.Join(channels, ", "))
	}
	set.VisitAll(func(f *flag.Flag) {
		if f.Name != "v" {
			o.flags = append(o.flags, setting{f.Name, f.Value.String()})
		}
	})
	return o, nil
}

func printHelp(set *flag.FlagSet, out io.Writer) {
	fmt.Fprintf(out, "%s\n\nUsage:\n  cloud-provider-kind [flags]\n  cloud-provider-kind list-images   print the image that its proxies run\n\nFlags:\n", intro)
	set.VisitAll(func(f *flag.Flag) {
		dashes := "--"
		if len(f.Name) == 1 {
			dashes = "-"
		}
		fmt.Fprintf(out, "  %-28s %s (default %q)\n", dashes+f.Name, f.Usage, f.DefValue)
	})
}
