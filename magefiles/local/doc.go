// Package local prepares what this repository's own commands need beyond what
// the importable targets ask for: an engine that can run kind nodes, and images
// built from source where no registry answers.
package local
