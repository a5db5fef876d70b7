package debian

import (
	"os"
	"path/filepath"
	"strings"
)

// The mirrors of a machine that names none.
const (
	defaultMirror   = "http://deb.debian.org/debian"
	defaultSecurity = "http://deb.debian.org/debian-security"
)

// mirrors finds the archive of Debian and that of its security team in the texts
// of this machine's package sources, so that a machine with mirrors of its own
// uses them for the images too.
func mirrors(sources []string) (mirror, security string) {
	mirror, security = defaultMirror, defaultSecurity
	for _, text := range sources {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for word := range strings.FieldsSeq(line) {
				switch word = strings.TrimSuffix(word, "/"); {
				case !strings.Contains(word, "://"):
				case strings.HasSuffix(word, "/debian"):
					mirror = word
				case strings.HasSuffix(word, "/debian-security"):
					security = word
				}
			}
		}
	}
	return mirror, security
}

// sourceFiles returns the texts of this machine's package sources.
func sourceFiles() []string {
	var texts []string
	for _, pattern := range []string{
		"/etc/apt/sources.list", "/etc/apt/sources.list.d/*.list", "/etc/apt/sources.list.d/*.sources",
	} {
		files, _ := filepath.Glob(pattern) // the patterns are well-formed
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				texts = append(texts, string(text))
			}
		}
	}
	return texts
}
