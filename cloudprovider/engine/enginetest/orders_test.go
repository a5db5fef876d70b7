package enginetest_test

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
)

const programPath = "/program"

// play makes a fake's containers follow the orders that the command in folder
// program follows for real.
func play(f *enginetest.Fake) {
	f.Script(func(spec engine.Spec) enginetest.Behaviour {
		p := process{fake: f, spec: spec}
		out, end := p.follow(spec.Command)
		return enginetest.Behaviour{
			Logs: out, Exit: end.code, IgnoreStop: end.deaf,
			OnExec: func(command []string) (string, int) { return p.exec(command) },
		}
	})
}

type process struct {
	fake *enginetest.Fake
	spec engine.Spec
}

// ending says how a list of orders ends.
type ending struct {
	code  *int
	deaf  bool
	waits bool
}

// follow returns what orders print, and how they end.
func (p process) follow(orders []string) (out []string, end ending) {
	for _, order := range orders {
		verb, value, _ := strings.Cut(order, "=")
		switch verb {
		case "out", "err":
			out = append(out, value)
		case "say":
			_ = p.fake.AppendLog(p.spec.Name, value)
		case "env":
			out = append(out, p.env(value))
		case "id":
			out = append(out, p.spec.User)
		case "cat":
			out = append(out, p.lines(value)...)
		case "stat":
			out = append(out, p.stat(value))
		case "write":
			out = append(out, p.write(value))
		case "caps":
			out = append(out, p.caps())
		case "links":
			out = append(out, p.links()...)
		case "wait":
			return out, ending{waits: true}
		case "ignore":
			return out, ending{deaf: true}
		case "exit":
			code, _ := strconv.Atoi(value)
			return out, ending{code: &code}
		}
	}
	return out, ending{code: new(int)}
}

func (p process) exec(command []string) (string, int) {
	out, end := p.follow(command[1:])
	text := ""
	if len(out) > 0 {
		text = strings.Join(out, "\n") + "\n"
	}
	if end.waits {
		select {} // until the test ends
	}
	return text, *end.code
}

func (p process) env(name string) string {
	for _, pair := range p.spec.Env {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return value
		}
	}
	return ""
}

func (p process) lines(file string) []string {
	for _, f := range p.spec.Files {
		if f.Path == file && len(f.Content) > 0 {
			return strings.Split(strings.TrimSuffix(string(f.Content), "\n"), "\n")
		}
	}
	return nil
}

func (p process) stat(file string) string {
	if file == "/tmp" {
		return "dtrwxrwxrwx 0:0"
	}
	for _, f := range p.spec.Files {
		if f.Path == file {
			mode := f.Mode
			if mode == 0 {
				mode = 0o644
			}
			return fmt.Sprintf("%s 0:0", mode)
		}
		if strings.HasPrefix(path.Dir(f.Path)+"/", file+"/") {
			return fmt.Sprintf("%s 0:0", fs.ModeDir|0o755)
		}
	}
	return "absent"
}

func (p process) write(file string) string {
	volume := slices.ContainsFunc(p.spec.Files, func(f engine.File) bool { return path.Dir(f.Path) == path.Dir(file) })
	if p.spec.ReadOnly && !volume {
		return "read-only"
	}
	return "written"
}

func (p process) caps() string {
	if p.spec.Unprivileged {
		return "CapEff 0, CapBnd 0, NoNewPrivs 1"
	}
	return "CapEff a80425fb, CapBnd a80425fb, NoNewPrivs 0"
}

func (p process) links() []string {
	if p.spec.Network == engine.NoNetwork {
		return nil
	}
	return []string{"eth0"}
}
