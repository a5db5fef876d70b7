package engine

// Running returns the address of our own engine when it runs and the
// environment points to no other one; otherwise ok is false, and what the
// environment points to is what [Ensure] would try first. It starts nothing.
func Running(opts Options) (host string, ok bool, err error) {
	m, err := newMaker(opts)
	if err != nil {
		return "", false, err
	}
	if !m.chosen() {
		return "", false, nil
	}
	return m.host(), true, nil
}

// chosen says whether our own engine runs and the environment points to no other one.
func (m *maker) chosen() bool {
	explicit := m.env("DOCKER_HOST")
	return (explicit == "" || explicit == m.host()) && m.pid() != 0
}
