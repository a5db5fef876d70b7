package lock_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/magekind/magekind/kindenv/internal/lock"
)

const (
	// stressEnv makes the test binary a process that takes and releases the
	// lock named by its value, from several goroutines.
	stressEnv = "LOCK_TEST_STRESS"
	// roundsEnv is how often each goroutine does, when it is not as often as
	// suits a quick test.
	roundsEnv = "MAGEKIND_LOCK_ROUNDS"

	goroutines  = 4
	quickRounds = 25
	zero        = "00000000" // of the counter
)

func rounds() int {
	if n, err := strconv.Atoi(os.Getenv(roundsEnv)); err == nil && n > 0 {
		return n
	}
	return quickRounds
}

// stress takes and releases the lock, again and again, and returns the exit
// code. A second lock, whose file stays, is free whenever the first is held.
func stress(path string) int {
	var all sync.WaitGroup
	failures := make(chan error, goroutines)
	for range goroutines {
		all.Go(func() {
			for range rounds() {
				if err := hold(path); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(failures)
	code := 0
	for err := range failures {
		fmt.Println(err)
		code = 1
	}
	return code
}

func hold(path string) error {
	l, ok := lock.Try(path)
	for ; !ok; l, ok = lock.Try(path) {
		time.Sleep(50 * time.Microsecond)
	}
	inside := flock.New(witness(path))
	alone, err := inside.TryLock()
	if err != nil {
		return err
	}
	if !alone {
		return fmt.Errorf("process %d: another one holds the lock too", os.Getpid())
	}
	if err := count(path); err != nil {
		return err
	}
	if err := inside.Close(); err != nil {
		return err
	}
	return l.Release()
}

func witness(path string) string { return filepath.Join(filepath.Dir(filepath.Dir(path)), "witness") }

func counter(path string) string { return filepath.Join(filepath.Dir(filepath.Dir(path)), "counter") }

// count adds one to a number in a file, which nothing but the lock protects.
func count(path string) error {
	file, err := os.OpenFile(counter(path), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	digits := make([]byte, len(zero))
	if _, err := file.ReadAt(digits, 0); err != nil {
		return err
	}
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return err
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%0*d", len(zero), n+1), 0)
	return err
}

// stressed is a lock's path, and a counter beside its folder.
func stressed(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "locks", "x.lock")
	if err := os.WriteFile(counter(path), []byte(zero), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func stressor(t *testing.T, path string, rounds int) *exec.Cmd {
	t.Helper()
	process := itself(t, stressEnv+"="+path, roundsEnv+"="+strconv.Itoa(rounds))
	process.Stdout = t.Output()
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	return process
}

func wantNothingLeft(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		left, _ := os.ReadDir(filepath.Dir(path))
		t.Errorf("the folder of the locks is left (%v), with %v", err, left)
	}
}

func TestManyProcessesAndGoroutines(t *testing.T) {
	t.Parallel()
	path := stressed(t)
	const processes = 4
	var started []*exec.Cmd
	for range processes {
		started = append(started, stressor(t, path, rounds()))
	}
	for _, process := range started {
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
	}
	raw, err := os.ReadFile(counter(path))
	if want := fmt.Sprintf("%0*d", len(zero), processes*goroutines*rounds()); err != nil || string(raw) != want {
		t.Errorf("counted %s (%v), want %s", raw, err, want)
	}
	wantNothingLeft(t, path)
}

// TestProcessesThatDieHolding kills processes that do nothing but take and
// release the lock, at any moment of that.
func TestProcessesThatDieHolding(t *testing.T) {
	t.Parallel()
	path := stressed(t)
	const endless = 1 << 30
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	other := stressor(t, path, endless)
	for range max(10, rounds()/5) {
		victim := other
		other = stressor(t, path, endless)
		before, err := os.ReadFile(counter(path))
		for now := before; err == nil && string(now) == string(before); {
			now, err = os.ReadFile(counter(path))
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.IntN(2000)) * time.Microsecond)
		if err := victim.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = victim.Wait()
		if err := hold(path); err != nil {
			t.Fatal(err)
		}
	}
	_ = other.Process.Kill()
	_ = other.Wait()
	if err := hold(path); err != nil { // what the last of the dead left goes with the next
		t.Error(err)
	}
	wantNothingLeft(t, path)
}
