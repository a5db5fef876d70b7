//go:build integration && linux

package outage_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

const (
	insideVariable  = "MAGEKIND_TEST_NAMESPACE"
	archiveVariable = "MAGEKIND_TEST_ARCHIVE" // the images, as the engine in use saved them
	// declined says that it is known that these tests are not run: without it that is a failure in CI.
	declined = "MAGEKIND_NO_OUTAGE"

	nodeImageEnv          = "MAGEKIND_E2E_NODE_IMAGE"
	cloudProviderImageEnv = "MAGEKIND_E2E_CLOUD_PROVIDER_IMAGE"
	exampleImageEnv       = "MAGEKIND_E2E_EXAMPLE_IMAGE"
)

func TestMain(m *testing.M) {
	if os.Getenv(insideVariable) != "" {
		if err := enter(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(m.Run())
	}
	if why := impossible(); why != "" {
		fmt.Fprintf(os.Stderr, "NOT RUN: the tests of an engine's outage: %s\n", why)
		if os.Getenv("CI") != "" && os.Getenv(declined) == "" {
			fmt.Fprintf(os.Stderr, "set %s=1 where that is meant\n", declined)
			os.Exit(1)
		}
		return
	}
	code, err := again()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// impossible says why the tests can't be run here.
func impossible() string {
	if os.Geteuid() != 0 {
		return "only root can make an engine and namespaces"
	}
	if _, err := exec.LookPath("dockerd"); err != nil {
		return "there is no dockerd"
	}
	for _, name := range []string{nodeImageEnv, cloudProviderImageEnv, exampleImageEnv} {
		if os.Getenv(name) == "" {
			return name + " is not set; `go tool mage check:contract` sets it"
		}
	}
	return ""
}

// again saves the images and runs this test binary in new namespaces.
func again() (int, error) {
	dir, err := os.MkdirTemp("", "magekind-outage-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "images.tar")
	save := exec.Command("docker", "save", "--output", archive,
		os.Getenv(nodeImageEnv), os.Getenv(cloudProviderImageEnv), os.Getenv(exampleImageEnv))
	if text, err := save.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("saving the images: %w: %s", err, text)
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), insideVariable+"=1", archiveVariable+"="+archive, "DOCKER_HOST=", "DOCKER_CONTEXT=", "KIND_CLUSTER_NAME=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Run(); err != nil {
		return 1, err
	}
	return 0, nil
}

// enter furnishes the namespaces: without the host's engine.
func enter() error {
	if err := syscall.Mount("tmpfs", "/run", "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting /run: %w", err)
	}
	if text, err := exec.Command("ip", "link", "set", "dev", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("setting up lo: %w: %s", err, text)
	}
	return nil
}
