package templates_test

import (
	"testing"

	"github.com/magekind/magekind/templates"
)

// TestInspectFindsFailCgroupV1 in every place from which it reaches the kubelets.
func TestInspectFindsFailCgroupV1(t *testing.T) {
	t.Parallel()
	const (
		off    = "kubeadmConfigPatches: ['{kind: KubeletConfiguration, failCgroupV1: false}']"
		on     = "kubeadmConfigPatches: ['{kind: KubeletConfiguration, failCgroupV1: true}']"
		offOps = `kubeadmConfigPatchesJSON6902: [{group: kubelet.config.k8s.io, version: v1beta1, kind: KubeletConfiguration, patch: '[{"op": "add", "path": "/failCgroupV1", "value": false}]'}]`
		onOps  = "kubeadmConfigPatchesJSON6902:\n- kind: KubeletConfiguration\n  patch: |\n    - op: replace\n      path: /failCgroupV1\n      value: true\n"
		others = `kubeadmConfigPatchesJSON6902: [{kind: InitConfiguration, patch: '[{"op": "add", "path": "/failCgroupV1", "value": false}]'}]`
	)
	for name, tc := range map[string]struct {
		raw  string
		want bool
	}{
		"none":                                 {"", false},
		"cluster":                              {off, true},
		"cluster, by operations":               {offOps, true},
		"operations come after merging":        {off + "\n" + onOps, false},
		"operations on another document":       {others, false},
		"operations on another field":          {`kubeadmConfigPatchesJSON6902: [{kind: KubeletConfiguration, patch: '[{"op": "add", "path": "/x", "value": false}]'}]`, false},
		"taken away":                           {off + "\n" + `kubeadmConfigPatchesJSON6902: [{kind: KubeletConfiguration, patch: '[{"op": "remove", "path": "/failCgroupV1"}]'}]`, false},
		"operations that can't be read":        {`kubeadmConfigPatchesJSON6902: [{kind: KubeletConfiguration, patch: '[{'}]`, false},
		"first control plane":                  {"nodes:\n- role: worker\n- role: control-plane\n  " + off, true},
		"first control plane, by operations":   {"nodes:\n- " + offOps, true},
		"first control plane over the cluster": {off + "\nnodes:\n- " + on, false},
		"a worker, which takes the cluster's":  {"nodes:\n- role: control-plane\n- role: worker\n  " + off, false},
		"a later control plane":                {"nodes:\n- role: control-plane\n- role: control-plane\n  " + off, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := templates.Inspect([]byte(head + tc.raw))
			if err != nil {
				t.Fatal(err)
			}
			if got.FailCgroupV1Off != tc.want {
				t.Errorf("got %t, want %t", got.FailCgroupV1Off, tc.want)
			}
		})
	}
}
