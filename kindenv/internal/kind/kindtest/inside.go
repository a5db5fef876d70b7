package kindtest

import "strings"

// SetUp says of a node container that kubeadm has made its admin.conf.
func (f *Fake) SetUp(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.setUp[id] = true
}

// LoseAdmin takes admin.conf out of a node container that was set up, or leaves
// other content in it.
func (f *Fake) LoseAdmin(id, content string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost[id] = content
}

// Reset takes all that kubeadm made out of a node container.
func (f *Fake) Reset(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.setUp, id)
}

// Exec runs a command in the node container of this name, as far as those go
// that look for what kubeadm leaves, have it write admin.conf again, and
// restart the kubelet. Any other says nothing and succeeds.
func (f *Fake) Exec(node string, command []string) (out string, code int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id, script := f.ids[node], strings.Join(command, " ")
	setUp := f.setUp[id]
	switch {
	case strings.Contains(script, "kubeadm init phase kubeconfig admin") && setUp:
		delete(f.lost, id)
	case strings.Contains(script, "cat /etc/kubernetes/admin.conf"):
		content, lost := f.lost[id]
		if setUp && !lost {
			content = string(f.kubeconfig(f.clusters[id]))
		}
		if !setUp || content == "" && !strings.Contains(script, "etcd.yaml") {
			code = 1
		}
		return content, code
	case strings.Contains(script, "systemctl restart kubelet"):
		if !setUp {
			return "", 1
		}
		if f.OnRejoin != nil {
			f.OnRejoin(node)
		}
	}
	return "", 0
}
