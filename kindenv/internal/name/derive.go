package name

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	// hashLen is the number of hexadecimal digits that tell long names apart.
	hashLen = 10
	// fallback stands for a name without a usable character.
	fallback = "project"
)

// Derive makes a valid cluster name from s, such as the name of a folder: in lower
// case, with '-' for what is not allowed. A name of more than [MaxSeveral]
// characters, so that it stays valid with any number of control planes, is cut and
// ends with a hash of the whole of s: two long ones never meet. So does the name
// for an s without any allowed letter or digit.
func Derive(s string) string {
	name := clean(s)
	switch {
	case name == "":
		return fallback + "-" + hash(s)
	case len(name) > MaxSeveral:
		return strings.TrimRight(name[:MaxSeveral-hashLen-1], "-.") + "-" + hash(s)
	}
	return name
}

// clean replaces what is not allowed, and puts no '-' or '.' beside another or at an end.
func clean(s string) string {
	var b strings.Builder
	pending := rune(0) // a separator that is written only when something follows
	for _, r := range strings.ToLower(s) {
		switch {
		case !isAllowed(r), r == '-':
			pending = '-'
		case r == '.':
			if pending == 0 {
				pending = '.'
			}
		default:
			if pending != 0 && b.Len() > 0 {
				b.WriteRune(pending)
			}
			pending = 0
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isAllowed(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '.'
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:hashLen]
}
