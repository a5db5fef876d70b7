package engine

// Running returns the address of our own engine when it runs and the
// environment points to no other one; otherwise ok is false, and what the
// environment points to is what [Ensure] would try first. It starts nothing.
func Running(opts Options) (host string, ok bool, err error) {
	m, err := newMaker(opts)
	if err != nil {
		return "", false, err
	}
	explicit := m.env("DOCKER_HOST")
	if (explicit == "" || explicit == m.host()) && m.pid() != 0 {
		return m.host(), true, nil
	}
	return "", false, nil
}
