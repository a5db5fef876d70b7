// Package check is what `mage test` runs: phases with a heading and an elapsed
// time each, over every module of the repository, and a closing account that
// names what failed.
package check
