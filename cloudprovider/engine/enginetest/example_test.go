package enginetest_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func ExampleNewFake() {
	ctx := context.Background()
	fake := enginetest.NewFake()
	fake.AddImage("app:v1")
	fake.Script(func(engine.Spec) enginetest.Behaviour {
		return enginetest.Behaviour{Logs: []string{"listening on :8080"}}
	})
	id, err := fake.Create(ctx, engine.Spec{Name: "app", Image: "app:v1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = fake.Start(ctx, id)
	_ = fake.Logs(ctx, id, engine.LogOptions{}, os.Stdout)
	fmt.Println(fake.Calls())
	// Output:
	// listening on :8080
	// [Create app Start app Logs app]
}

func ExampleFake_Fail() {
	fake := enginetest.NewFake()
	fake.Fail("List", 2, errors.New("connection reset by peer"))
	for range 3 {
		_, err := fake.List(context.Background(), nil)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// List []: connection reset by peer
	// <nil>
}
