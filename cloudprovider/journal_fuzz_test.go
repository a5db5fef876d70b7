package cloudprovider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
)

// FuzzJournal has any text as a value in a log, as klog writes values: nothing in
// it makes a cluster one that is served, or one that is no longer.
func FuzzJournal(f *testing.F) {
	attach := `"Starting cloud controller" cluster="x"`
	for _, s := range append(hostile(), attach, "a\n"+attach, `Starting cloud controller" cluster="x"`, `" "Starting cloud controller" cluster="x"`,
		"I1130 12:00:00.000000       1 controller.go:103] "+attach, "\n\nI1130 12:00:00.000000       1 controller.go:103] "+attach+"\n",
		`"Deleting resources" cluster="demo"`, "x\r"+attach, "] "+attach) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		const head = "I1130 12:00:00.000000       1 controller.go:103] "
		quoted := fmt.Sprintf("%q", value)
		if strings.Contains(value, "\n") { // in lines of their own, each behind a tab
			quoted = "<\n\t" + strings.ReplaceAll(value, "\n", "\n\t") + "\n >"
		}
		log := head + `"Starting cloud controller" cluster="demo"` + "\n" +
			head + `"Ensuring load balancer" service=` + quoted + "\n" +
			head + "Deleting resources for Gateway: demo/x\n"
		if got, want := cloudprovider.ServesInLog(log), []string{"demo"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q, from\n%s", got, want, log)
		}
		cloudprovider.ServesInLog(value) // whatever it says
	})
}
