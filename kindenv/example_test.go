package kindenv_test

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/kindenv"
	"github.com/magekind/magekind/templates"
)

func ExampleNew() {
	env, err := kindenv.New(kindenv.Config{
		Name:      "shop",
		Cluster:   templates.Cluster{Workers: 2},
		Manifests: []string{"deploy"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(env.Name(), env.Context())
	// env.Up(ctx) makes it; env.Down(ctx) removes it.

	// Output: shop kind-shop
}

func ExampleRun() {
	// A wrong configuration is told before anything is made.
	err := kindenv.Run(context.Background(), kindenv.Config{Name: "My Shop"}, func(ctx context.Context, env *kindenv.Environment) error {
		// tests against the cluster, which env.Kubeconfig() gives access to
		return nil
	})
	fmt.Println(err)

	// Output: Name: invalid cluster name "My Shop": use lower-case letters, digits, '-' and '.', with a letter or digit first and around each '.'; for example "my-shop"
}
