package kindenv

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/magekind/magekind/kindenv/internal/kind"
	"github.com/magekind/magekind/kindenv/internal/progress"
)

// majorityBudget is how long to wait for an API server that most likely can't
// serve: it may be that somebody has told etcd about the control planes that are gone.
const majorityBudget = 30 * time.Second

// awaitMajority waits for the API server, and not for long when so many control
// planes are gone that etcd has no majority.
func (s *session) awaitMajority(ctx context.Context, step *progress.Step, all nodes, serving condition) error {
	gone := all.gone()
	if gone == "" {
		return s.await(ctx, step, serving)
	}
	short, cancel := context.WithTimeout(ctx, majorityBudget)
	defer cancel()
	err := s.await(short, step, serving)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s gone, and what is left is no majority of the control planes: %w; "+
			"the cluster is kept: make it anew with env:down and env:up", gone, err)
	}
	return err
}

// gone names the control planes without a container, if what is left is no
// majority. kind numbers them, and puts a load balancer before several.
func (n nodes) gone() string {
	there, last := map[int]bool{}, 1
	cluster := ""
	for _, node := range n.with(kind.RoleControlPlane) {
		name, digits, _ := strings.Cut(member(node), "-"+kind.RoleControlPlane)
		number, err := strconv.Atoi(or(digits, "1"))
		if err != nil {
			return ""
		}
		cluster, there[number], last = name, true, max(last, number)
	}
	if len(n.with(kind.RoleLoadBalancer)) > 0 {
		last = max(last, 2)
	}
	if len(there)*2 > last {
		return ""
	}
	var names []string
	for number := 1; number <= last; number++ {
		if !there[number] {
			names = append(names, numbered(cluster+"-"+kind.RoleControlPlane, number))
		}
	}
	return "control plane " + strings.Join(names, ", ") + " is"
}

// numbered is kind's name for the node of this number: the first has none in it.
func numbered(name string, number int) string {
	if number > 1 {
		name += strconv.Itoa(number)
	}
	return name
}
