//go:build e2e

package e2e

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// What the suite does at random, and how much of it. Without these it takes a
// short sample of what `mage soak` does, and another one each time.
const (
	seedEnv      = "MAGEKIND_E2E_SEED"
	killsUpEnv   = "MAGEKIND_E2E_KILLS_UP"   // moments over env:up
	killsDownEnv = "MAGEKIND_E2E_KILLS_DOWN" // moments over env:down
	roundsEnv    = "MAGEKIND_E2E_ROUNDS"     // of several projects side by side
)

// number is what an environment variable asks for.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s is %q; want a number that is not negative", name, text)
	}
	return n
}

// seed decides what is left to chance. The test's log has it, so that it can be repeated.
func seed(t *testing.T) uint64 {
	t.Helper()
	seed := number(t, seedEnv, int(time.Now().UnixMilli()%1_000_000))
	t.Logf("the seed is %d: %s=%d repeats it", seed, seedEnv, seed)
	return uint64(seed)
}

// count tells `mage soak` that something was done so many times.
func count(t *testing.T, what string, n int) {
	t.Helper()
	t.Attr(what, strconv.Itoa(n))
}
