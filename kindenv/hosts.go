package kindenv

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// sameHost gives the different spellings of a socket's endpoint one form, which
// is that of the socket itself where links lead to it.
func sameHost(host string) string {
	path, ok := socketOf(host)
	if !ok {
		return strings.TrimSuffix(host, "/")
	}
	return "unix://" + socket(path)
}

// socketOf returns the path in the endpoint of a socket.
func socketOf(host string) (path string, ok bool) {
	if path, ok = strings.CutPrefix(host, "unix://"); !ok {
		path, ok = host, strings.HasPrefix(host, "/")
	}
	return filepath.Clean(path), ok
}

// maxLinks bounds a chain of symbolic links, as Linux does.
const maxLinks = 40

// socket follows the symbolic links of a socket's path, also while the engine
// is not there, and with it the socket.
func socket(path string) string {
	for range maxLinks {
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(folder, filepath.Base(path))
		}
		link, err := os.Readlink(path)
		if err != nil {
			return path // not a link, or not there
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = filepath.Clean(link)
	}
	return path
}

// digestBytes keep digests apart well enough, and paths short.
const digestBytes = 6

// digest shortens a name of any length to something for a file name.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:digestBytes])
}

func isDigest(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == digestBytes
}
