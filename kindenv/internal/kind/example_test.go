package kind_test

import (
	"fmt"

	"github.com/magekind/magekind/kindenv/internal/kind"
)

func ExampleNew() {
	driver, err := kind.New(kind.Docker, nil)
	fmt.Println(driver != nil, err)
	// driver.Create(ctx, kind.CreateSpec{Name: "shop"}) makes a cluster.

	_, err = kind.New("lxc", nil)
	fmt.Println(err)

	// Output:
	// true <nil>
	// runtime "lxc": kind knows docker, podman and nerdctl
}
