// Package templates holds the files that magekind writes for others to read:
// kind's cluster configuration, rendered from a [Cluster].
//
//	config, err := templates.Kind(templates.Cluster{Workers: 2})
//
// What a Cluster can't say goes into a kind configuration file of one's own;
// [Inspect] reads such a file, and the rendered ones, for what has to be known
// before the cluster exists.
package templates
