//go:build !darwin

package bench

// maxrssUnit is the unit of Rusage.Maxrss in bytes.
const maxrssUnit = 1 << 10
