package kube

// Finalizer keeps a Service until its load balancer is gone. It is the one that
// Kubernetes' own service controller uses.
const Finalizer = "service.kubernetes.io/load-balancer-cleanup"

// ExcludeLabel on a node keeps it out of load balancers. kubeadm sets it on
// control planes; kind takes it off again when there is one node only.
const ExcludeLabel = "node.kubernetes.io/exclude-from-external-load-balancers"

// Metadata of an object.
type Metadata struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	ResourceVersion   string            `json:"resourceVersion"`
	DeletionTimestamp string            `json:"deletionTimestamp"`
	Finalizers        []string          `json:"finalizers"`
	Labels            map[string]string `json:"labels"`
}

// Service is what a load balancer has to know of a Service.
type Service struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		Type              string        `json:"type"`
		LoadBalancerClass *string       `json:"loadBalancerClass"`
		Ports             []ServicePort `json:"ports"`
		IPFamilies        []string      `json:"ipFamilies"`
	} `json:"spec"`
	Status struct {
		LoadBalancer LoadBalancer `json:"loadBalancer"`
	} `json:"status"`
}

// ServicePort is one port of a Service.
type ServicePort struct {
	Protocol string `json:"protocol"`
	Port     int    `json:"port"`
	NodePort int    `json:"nodePort"`
}

// LoadBalancer is the state that is written to a Service.
type LoadBalancer struct {
	Ingress []Ingress `json:"ingress"`
}

// Ingress is one address of a load balancer.
type Ingress struct {
	IP string `json:"ip"`
}

// Path is where the API serves s.
func (s Service) Path() string {
	return "/api/v1/namespaces/" + s.Metadata.Namespace + "/services/" + s.Metadata.Name
}

// Wanted reports whether s asks this cloud provider for a load balancer. One
// with a class asks another.
func (s Service) Wanted() bool {
	return s.Spec.Type == "LoadBalancer" && s.Spec.LoadBalancerClass == nil && s.Metadata.DeletionTimestamp == ""
}

// Node is what a load balancer has to know of a node.
type Node struct {
	Metadata Metadata `json:"metadata"`
	Status   struct {
		Addresses []struct {
			Type    string `json:"type"`
			Address string `json:"address"`
		} `json:"addresses"`
		Conditions []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

// Backend returns the addresses of a node that takes load balancers' traffic;
// none of one that is not ready, on its way out, or excluded.
func (n Node) Backend() []string {
	if _, excluded := n.Metadata.Labels[ExcludeLabel]; excluded || n.Metadata.DeletionTimestamp != "" || !n.ready() {
		return nil
	}
	var found []string
	for _, a := range n.Status.Addresses {
		if a.Type == "InternalIP" {
			found = append(found, a.Address)
		}
	}
	return found
}

func (n Node) ready() bool {
	for _, c := range n.Status.Conditions {
		if c.Type == "Ready" {
			return c.Status == "True"
		}
	}
	return false
}
