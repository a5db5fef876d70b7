package kubeconfig

import "go.yaml.in/yaml/v3"

// spellNulls writes out the nulls that stand for themselves by being left out
// between braces or brackets, as in {a: }: encoded again they would be empty strings.
func spellNulls(node *yaml.Node, flow bool) {
	flow = flow || node.Style&yaml.FlowStyle != 0
	if flow && isNull(node) && node.Value == "" {
		node.Value = "null"
	}
	for _, inner := range node.Content {
		spellNulls(inner, flow)
	}
}
