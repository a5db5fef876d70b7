package kubeconfig

// Has reports whether a file of paths has the context named name. A file that
// can't be read counts as one without it.
func Has(paths []string, name string) bool {
	for _, path := range paths {
		if f, err := read(path); err == nil && f.index("contexts", name) >= 0 {
			return true
		}
	}
	return false
}
