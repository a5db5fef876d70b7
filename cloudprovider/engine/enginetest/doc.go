// Package enginetest has what tests of code over an [engine.Engine] need: an
// in-memory [Fake], and the contract suite ([Run]) that the Fake and every real
// engine pass, so that the Fake can be trusted to refuse what a real one refuses.
//
// The Fake has no clock and no processes: a container does what its script
// says ([Fake.Script]), at once, and time that a real engine would spend
// waiting is not spent. Faults are set per method and call ([Fake.Fail],
// [Fake.Hang], [Fake.Delay]); [Faults] puts them, and more, around any engine, real or not.
package enginetest
