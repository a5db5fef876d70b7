package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
)

// configPath is where containerd looks for the pod network's configuration, with
// the name that the file has in kind's own nodes.
const configPath = "/etc/cni/net.d/10-kindnet.conflist"

// defaultMTU is what pods get when the node's device does not tell its own.
const defaultMTU = 1500

// writeConfig installs the CNI configuration at path, in one step; when it is
// there already, nothing is written, for containerd reloads on every write.
func writeConfig(path string, pods netip.Prefix, mtu int) error {
	config, err := json.MarshalIndent(networkConfig(pods, mtu), "", "  ")
	if err != nil {
		return err
	}
	if current, err := os.ReadFile(path); err == nil && bytes.Equal(current, config) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".tmp", config, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// networkConfig joins pods to the node by a veth pair each (ptp), with addresses
// out of the node's own range, and serves host ports.
func networkConfig(pods netip.Prefix, mtu int) any {
	type object = map[string]any
	return object{
		"cniVersion": "1.0.0",
		"name":       "kindnet",
		"plugins": []object{
			{
				"type":   "ptp",
				"ipMasq": false,
				"mtu":    mtu,
				"ipam": object{
					"type":    "host-local",
					"dataDir": "/run/cni-ipam-state",
					"routes":  []object{{"dst": "0.0.0.0/0"}},
					"ranges":  [][]object{{{"subnet": pods.String()}}},
				},
			},
			{"type": "portmap", "capabilities": object{"portMappings": true}},
		},
	}
}

// deviceMTU returns the MTU of a network device, in bytes.
func deviceMTU(device string) int {
	mtu := defaultMTU
	if text, err := os.ReadFile(filepath.Join("/sys/class/net", device, "mtu")); err == nil {
		_, _ = fmt.Sscan(string(text), &mtu)
	}
	return mtu
}
