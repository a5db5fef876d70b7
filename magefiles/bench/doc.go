// Package bench compares the environment with what one would do by hand: the
// kind, docker and kubectl commands that a script without this module would
// run. Both sides take turns on the same engine with the same images, and
// every measurement is reported as it is.
package bench
