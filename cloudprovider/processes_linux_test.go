package cloudprovider_test

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/magekind/magekind/cloudprovider"
)

// TestARealProcessIsFound by the engine that it names, which is nobody else's.
func TestARealProcessIsFound(t *testing.T) {
	t.Parallel()
	host := "unix://" + t.TempDir() + "/docker.sock"
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	process := exec.CommandContext(t.Context(), shell)
	process.Args = []string{"cloud-provider-kind", "-c", "read x"}
	process.Env = []string{"DOCKER_HOST=" + host}
	stdin, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(cloudprovider.HostProcesses(host), process.Process.Pid) {
		t.Errorf("process %d is not found", process.Process.Pid)
	}
	if slices.Contains(cloudprovider.HostProcesses(host+"2"), process.Process.Pid) {
		t.Error("it is found for another engine")
	}
	stdin.Close()
	_ = process.Wait()
	if slices.Contains(cloudprovider.HostProcesses(host), process.Process.Pid) {
		t.Error("it is found after its end")
	}
}
