//go:build unix && !linux

package kubeconfig_test

import "errors"

func mounted(_, _ string) error { return errors.ErrUnsupported }
