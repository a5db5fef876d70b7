package cloudprovider

import (
	"regexp"
	"slices"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine/redact"
)

// How many of a log's last lines stand in an error, and how many bytes of each.
const (
	glance        = 3  // while waiting
	fullView      = 10 // after a crash
	evidenceWidth = 300
)

// journal is what a log, or a part of it, says, with an opinion on the lines that matter.
type journal struct {
	count    int             // of lines
	lines    []string        // the last ones
	attached map[string]bool // by cluster; false: no longer
	listing  string          // the complaint of a failed listing, cleared by a later success
	trouble  string          // the last complaint about a cluster since it was last attached
	past     bool            // the first listing is done
	panicked string          // the first line of the last panic, which a long trace follows
}

// parseJournal makes a journal of a whole text.
func parseJournal(text string) journal {
	log := journal{attached: map[string]bool{}}
	for line := range strings.Lines(text) {
		log.add(line)
	}
	return log
}

// add takes the next line.
func (j *journal) add(line string) {
	j.count++
	quoted := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " ") // a part of a value of several lines
	line = strings.TrimSpace(line)
	if line == "" || strings.Contains(line, "] FLAG: ") {
		return
	}
	if len(j.lines) == 2*fullView {
		j.lines = slices.Delete(j.lines, 0, fullView)
	}
	j.lines = append(j.lines, line)
	if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
		j.panicked = line
	}
	if !quoted {
		j.take(line)
	}
}

// take knows the lines of cloud-provider-kind v0.10 and v0.11.
func (j *journal) take(line string) {
	switch {
	case strings.Contains(line, "Error listing clusters"), strings.Contains(line, "no supported container runtime found"):
		j.listing = line
		return
	case says(line, "Starting cloud controller"):
		j.attached[quotedCluster(line)] = true
		j.trouble = ""
	case says(line, "Deleting resources"):
		j.attached[quotedCluster(line)] = false
	case strings.Contains(line, "Failed to start cloud controller"), strings.Contains(line, "Failed to create kubeClient"):
		j.trouble = redact.Text(line)
	case strings.Contains(line, "Connected succes"), strings.Contains(line, "Creating new cloud provider"):
		// v0.10 spells the first "succesfully"
	default:
		return
	}
	j.past, j.listing = true, ""
}

// header is what precedes a line's message: severity, date, time, process and place in the source.
var header = regexp.MustCompile(`^[IWEF]\d{4} [^\]]*\] `)

// says reports whether line has this message itself, followed by a cluster,
// rather than in something that it quotes: what users of a cluster name is in the log too.
func says(line, message string) bool {
	return strings.HasPrefix(line[len(header.FindString(line)):], `"`+message+`" cluster="`)
}

// quotedCluster returns the value of cluster="…" in a log line.
func quotedCluster(line string) string {
	_, rest, _ := strings.Cut(line, `cluster="`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// serves reports whether cluster is attached, or any when it is empty.
func (j journal) serves(cluster string) bool {
	if cluster == "" {
		return len(j.clusters()) > 0
	}
	return j.attached[cluster]
}

// clusters lists those that are attached, sorted.
func (j journal) clusters() []string {
	names := make([]string, 0, len(j.attached))
	for name, attached := range j.attached {
		if attached {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// evidence is the end of the log, as it stands in an error.
func (j journal) evidence(lines int) string {
	if len(j.lines) == 0 {
		return "it logged nothing"
	}
	last := j.lines[max(0, len(j.lines)-lines):]
	var text strings.Builder
	text.WriteString("its last lines:")
	if j.panicked != "" && !slices.Contains(last, j.panicked) {
		last = append([]string{j.panicked, "…"}, last...)
	}
	for _, line := range last {
		line = redact.Text(line)
		text.WriteString("\n  " + strings.ToValidUTF8(line[:min(len(line), evidenceWidth)], ""))
	}
	return text.String()
}
