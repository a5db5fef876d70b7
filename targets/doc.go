// Package targets holds the mage targets that a project imports to get a real
// Kubernetes environment:
//
//	//go:build mage
//
//	package main
//
//	import (
//		"github.com/magekind/magekind/kindenv"
//		//mage:import
//		"github.com/magekind/magekind/targets"
//	)
//
//	func init() {
//		targets.Configure(targets.Config{Config: kindenv.Config{
//			Manifests: []string{"deploy"},
//		}})
//	}
//
// That gives the project
//
//	mage env:up       make the environment and wait until it is ready
//	mage env:down     remove it, and nothing of any other project
//	mage env:logs     show what goes on in it
//	mage env:status   say what is there
//
// Without a call of Configure everything has its default. A team shares one
// set-up by publishing a package that calls Configure from its init; projects
// then import that package for its effect beside this one.
//
// mage's exit code is 0 when a target did its work, 1 when it failed, and 2 when
// the configuration is not valid.
//
// Everything that the targets do is in package kindenv, which Go tests can use
// without mage.
package targets
