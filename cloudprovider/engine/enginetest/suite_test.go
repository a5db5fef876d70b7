package enginetest_test

import (
	"testing"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

func TestFakeKeepsTheContract(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(*testing.T) enginetest.Subject {
		f := subject()
		return enginetest.Subject{Engine: f, Image: suiteImage, Program: programPath, Network: "kind"}
	})
}

func TestFakeWithoutCapabilitiesKeepsTheContract(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(*testing.T) enginetest.Subject {
		f := subject()
		return enginetest.Subject{Engine: f.WithoutCapabilities(), Image: suiteImage, Program: programPath, Network: "kind"}
	})
}

func TestFaultsKeepTheContractOfWhatTheyAreAround(t *testing.T) {
	t.Parallel()
	for name, engineOf := range map[string]func(*enginetest.Fake) engine.Engine{
		"all capabilities": func(f *enginetest.Fake) engine.Engine { return f },
		"none":             func(f *enginetest.Fake) engine.Engine { return f.WithoutCapabilities() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, func(*testing.T) enginetest.Subject {
				eng := enginetest.NewFaults().Around(engineOf(subject()))
				return enginetest.Subject{Engine: eng, Image: suiteImage, Program: programPath, Network: "kind"}
			})
		})
	}
}

const suiteImage = "localhost/contract:v1"

func subject() *enginetest.Fake {
	f := enginetest.NewFake()
	f.AddImage(suiteImage, enginetest.WithLabels(map[string]string{enginetest.SuiteLabel: "program"}))
	f.AddNetwork("kind")
	play(f)
	return f
}

func TestWithoutCapabilitiesHasTheCoreOnly(t *testing.T) {
	t.Parallel()
	core := enginetest.NewFake().WithoutCapabilities()
	if _, ok := core.(engine.LogStreamer); ok {
		t.Error("it streams logs")
	}
	if _, ok := core.(engine.Pauser); ok {
		t.Error("it pauses containers")
	}
	if _, ok := core.(engine.Execer); ok {
		t.Error("it runs commands")
	}
}
