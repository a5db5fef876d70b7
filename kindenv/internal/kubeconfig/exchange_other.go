//go:build !linux

package kubeconfig

import "errors"

func exchange(_, _ string) error { return errors.ErrUnsupported }
