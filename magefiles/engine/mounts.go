package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// mountTable describes this process's mounts.
const mountTable = "/proc/self/mountinfo"

// unmountBelow unmounts what is mounted at dir or below it, the innermost first.
func unmountBelow(table, dir string) error {
	file, err := os.Open(table)
	if err != nil {
		return fmt.Errorf("reading the mounts: %w", err)
	}
	defer file.Close()
	points, err := mountsBelow(file, dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, point := range points {
		errs = append(errs, unmount(point))
	}
	return errors.Join(errs...)
}

// mountsBelow returns the mount points at dir or below it, in the reverse of
// the order in which they were mounted.
func mountsBelow(table io.Reader, dir string) ([]string, error) {
	var points []string
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 {
			continue
		}
		point := unescape(fields[4])
		if point == dir || strings.HasPrefix(point, dir+"/") {
			points = append(points, point)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the mounts: %w", err)
	}
	slices.Reverse(points)
	return points, nil
}

// unescape decodes the kernel's \ooo for blanks and backslashes.
func unescape(field string) string {
	var text strings.Builder
	for len(field) > 0 {
		if field[0] == '\\' && len(field) >= 4 {
			if code, err := strconv.ParseUint(field[1:4], 8, 8); err == nil {
				text.WriteByte(byte(code))
				field = field[4:]
				continue
			}
		}
		text.WriteByte(field[0])
		field = field[1:]
	}
	return text.String()
}
