// Package e2e holds the end-to-end suite: real clusters on a real engine, made
// and removed by the real mage binary in projects that consume this module as
// any repository would. It has the build tag e2e; `mage check:e2e` prepares the
// images and runs it.
package e2e
