package kindenv_test

import (
	"context"
	"time"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/cloudprovider/engine"
	"github.com/magekind/magekind/cloudprovider/engine/enginetest"
	"github.com/magekind/magekind/kindenv/internal/kind"
)

// behave is what runs in the containers: nodes, and cloud providers as upstream's.
func (e *estate) behave(spec engine.Spec) enginetest.Behaviour {
	zero := 0
	cluster := spec.Labels[cloudprovider.LabelOwner]
	switch {
	case len(spec.Command) > 0 && spec.Command[0] == "list-images":
		return enginetest.Behaviour{Logs: []string{proxyImage}, Exit: &zero}
	case spec.Labels[cloudprovider.LabelRole] == cloudprovider.RoleController:
		e.balance(cluster)
		return enginetest.Behaviour{
			Logs:   []string{`"Connected succesfully" cluster="` + cluster + `"`, `"Starting cloud controller" cluster="` + cluster + `"`},
			OnStop: func() { e.sayGoodBye(spec) },
		}
	}
	return enginetest.Behaviour{OnExec: func(command []string) (string, int) {
		return e.tenants[spec.Labels[kind.LabelCluster]].kind.Exec(spec.Name, command)
	}}
}

// balance makes the load balancers that are missing, of a Service and of a Gateway.
func (e *estate) balance(cluster string) {
	for name, label := range map[string]string{"svc": cloudprovider.LabelLoadBalancer, "gw": cloudprovider.LabelGateway} {
		name = "kindccm-" + name + "-" + cluster
		if _, there := e.engine.Spec(name); there {
			continue
		}
		e.engine.Put(engine.Container{
			Name: name, Image: proxyImage, Networks: []engine.Attachment{{Network: "kind"}},
			Labels: map[string]string{cloudprovider.LabelCluster: cluster, label: cluster + "/default/web"},
		})
	}
}

// sayGoodBye removes the load balancers of a cloud provider that still lives.
func (e *estate) sayGoodBye(spec engine.Spec) {
	dying := e.running(spec.Name)
	time.Sleep(goodBye)
	if dying == "" || e.running(spec.Name) != dying {
		return // killed meanwhile
	}
	for _, name := range []string{"svc", "gw"} {
		_ = e.engine.Remove(context.Background(), "kindccm-"+name+"-"+spec.Labels[cloudprovider.LabelOwner]) // absent: never mind
	}
}

// running is the ID of the running container of a name, if there is one.
func (e *estate) running(name string) (id string) {
	for _, container := range e.containers() {
		if container.Name == name && container.State == engine.Running {
			id = container.ID
		}
	}
	return id
}
