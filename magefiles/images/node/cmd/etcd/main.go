// Command etcd runs the etcd server. The server's module names its siblings by
// relative path, so it can be a dependency but not the main module.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
