// Package soak is what `mage soak` runs: the long versions of what the tests
// take a short sample of. It kills the targets at many moments, has projects go
// up and down side by side for many rounds, puts faults everywhere, and fuzzes,
// and ends with an account of what was done and found.
package soak
