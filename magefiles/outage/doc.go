// Package outage tests what becomes of environments when the engine underneath
// restarts, is killed, hangs, or has no space left: on engines of its own, in
// network and mount namespaces of its own, since no engine in use may suffer
// that. Its tests need root on Linux and dockerd.
package outage
