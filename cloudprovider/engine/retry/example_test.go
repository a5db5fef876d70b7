package retry_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magekind/magekind/cloudprovider/engine/retry"
)

func ExampleUntil() {
	ready := 0
	err := retry.Until(context.Background(), time.Minute, func(context.Context) error {
		if ready++; ready < 3 {
			return fmt.Errorf("%d of 3 nodes are ready", ready)
		}
		return nil
	})
	fmt.Println(ready, err)
	// Output: 3 <nil>
}

func ExampleUntil_timeout() {
	err := retry.Until(context.Background(), 50*time.Millisecond, func(context.Context) error {
		return errors.New("2 of 3 nodes are ready")
	})
	fmt.Println(err)
	// Output: gave up after 50ms: context deadline exceeded: 2 of 3 nodes are ready
}

func ExampleStop() {
	err := retry.Until(context.Background(), time.Minute, func(context.Context) error {
		return retry.Stop(errors.New("the container exited with code 1"))
	})
	fmt.Println(err)
	// Output: the container exited with code 1
}
