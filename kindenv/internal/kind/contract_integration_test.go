//go:build integration

package kind_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/kind/kindtest"
	"github.com/magekind/magekind/templates"
)

// nodeImageEnv names the node image for tests; it needs the label io.magekind.kubernetes, or a tag that tells the version.
const nodeImageEnv = "MAGEKIND_E2E_NODE_IMAGE"

func TestKindKeepsTheContract(t *testing.T) {
	image := os.Getenv(nodeImageEnv)
	if image == "" {
		t.Skipf("%s names no node image", nodeImageEnv)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "docker", "info", "--format", "{{.CgroupVersion}}").Output()
	if err != nil {
		t.Fatalf("no Docker engine: %v", err)
	}
	config, err := templates.Kind(templates.Cluster{FailCgroupV1Off: strings.TrimSpace(string(out)) == "1"})
	if err != nil {
		t.Fatal(err)
	}
	kindtest.Run(t, func(t *testing.T) kindtest.Subject {
		driver, err := kind.New(kind.Docker, nil)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("contract-%d-%d", os.Getpid(), time.Now().UnixMilli()%100000)
		return kindtest.Subject{Driver: driver, Spec: kind.CreateSpec{Name: name, Image: image, Config: config}}
	})
}
