// Package kindenv makes and removes a development environment: one kind
// cluster with a cloud provider beside it, so that LoadBalancer Services,
// Ingresses and Gateways work.
//
//	env, err := kindenv.New(kindenv.Config{})
//	if err != nil { … }
//	if err := env.Up(ctx); err != nil { … }
//	defer env.Down(context.WithoutCancel(ctx))
//
// [Run] does both around a function of one's own, for end-to-end tests.
//
// All state is on the engine, in the containers' labels, so any process with
// the same configuration finds what another one made: Up completes what is
// there, Down removes it, whatever state it is in. Nothing of another project
// is touched; the network that all kind clusters share stays.
//
// kind works through the engine's command-line client. When that would reach
// another engine than the one found here, DOCKER_HOST is set for the whole
// process, once, before the client is first used, and said in the output. When
// DOCKER_HOST is set already and names another engine than [Config.Host], that
// is an error.
package kindenv
