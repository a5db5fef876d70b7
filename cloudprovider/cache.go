package cloudprovider

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cacheFile is where the answer of the image with that ID is kept.
func cacheFile(dir, imageID string) string {
	sum := sha256.Sum256([]byte(imageID))
	return filepath.Join(dir, "proxy-image-"+hex.EncodeToString(sum[:16]))
}

// recall returns the kept answer, if there is one that makes sense.
func recall(dir, imageID string) (string, bool) {
	if dir == "" {
		return "", false
	}
	content, err := os.ReadFile(cacheFile(dir, imageID))
	if err != nil {
		return "", false
	}
	answer, err := parseAnswer(string(content))
	return answer, err == nil
}

// remember keeps an answer. Readers see all of it or nothing.
func remember(dir, imageID, answer string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	file, err := os.CreateTemp(dir, ".proxy-image-")
	if err != nil {
		return fmt.Errorf("making a cache file: %w", err)
	}
	_, err = file.WriteString(answer + "\n")
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), cacheFile(dir, imageID))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing a cache file: %w", err), os.Remove(file.Name()))
	}
	return nil
}
