package kindenv

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// sameHost gives the different spellings of a socket's endpoint one form.
func sameHost(host string) string {
	path, ok := strings.CutPrefix(host, "unix://")
	if !ok {
		if !strings.HasPrefix(host, "/") {
			return strings.TrimSuffix(host, "/")
		}
		path = host
	}
	path = filepath.Clean(path)
	// the folder, not the socket: it is there also while the engine is not
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	return "unix://" + path
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
