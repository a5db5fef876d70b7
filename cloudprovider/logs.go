package cloudprovider

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
)

// How many of a log's last lines stand in an error, and how many bytes of each.
const (
	glance        = 3  // while waiting
	fullView      = 10 // after a crash
	evidenceWidth = 300
)

// journal is what the log of the controller's current run says, with an opinion on the lines that matter.
type journal struct {
	lines    []string
	attached map[string]bool // by cluster
	listing  string          // the complaint of a failed listing, cleared by a later success
	trouble  string          // the last complaint about a cluster since it was last attached
	past     bool            // the first listing is done
}

// read reads the log of container's current run. ok is false on engines that can't stream logs.
func (c *Controller) read(ctx context.Context, container engine.Container) (log journal, ok bool, err error) {
	streamer, ok := c.eng.(engine.LogStreamer)
	if !ok {
		return journal{}, false, nil
	}
	var out bytes.Buffer
	options := engine.LogOptions{}
	if !container.EndedAt.After(container.StartedAt) {
		options.Since = container.EndedAt // not StartedAt, which can be later than the run's first lines
	}
	if err := streamer.Logs(ctx, container.ID, options, &out); err != nil {
		return journal{}, true, fmt.Errorf("log of %q: %w", container.Name, err)
	}
	return parseJournal(out.String()), true, nil
}

// parseJournal knows the lines of cloud-provider-kind v0.10 and v0.11.
func parseJournal(text string) journal {
	log := journal{attached: map[string]bool{}}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "] FLAG: ") {
			log.lines = append(log.lines, line)
			log.take(line)
		}
	}
	return log
}

func (j *journal) take(line string) {
	switch {
	case strings.Contains(line, "Error listing clusters"), strings.Contains(line, "no supported container runtime found"):
		j.listing = line
		return
	case strings.Contains(line, "Starting cloud controller"):
		j.attached[quotedCluster(line)] = true
		j.trouble = ""
	case strings.Contains(line, "Deleting resources"):
		delete(j.attached, quotedCluster(line))
	case strings.Contains(line, "Failed to start cloud controller"), strings.Contains(line, "Failed to create kubeClient"):
		j.trouble = line
	case strings.Contains(line, "Connected succes"), strings.Contains(line, "Creating new cloud provider"):
		// v0.10 spells the first "succesfully"
	default:
		return
	}
	j.past, j.listing = true, ""
}

// quotedCluster returns the value of cluster="…" in a log line.
func quotedCluster(line string) string {
	_, rest, _ := strings.Cut(line, `cluster="`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// evidence is the end of the log, as it stands in an error.
func (j journal) evidence(lines int) string {
	if len(j.lines) == 0 {
		return "it logged nothing"
	}
	last := j.lines[max(0, len(j.lines)-lines):]
	var text strings.Builder
	text.WriteString("its last lines:")
	for _, line := range last {
		text.WriteString("\n  " + strings.ToValidUTF8(line[:min(len(line), evidenceWidth)], ""))
	}
	return text.String()
}
