package kubeapi

import (
	"cmp"
	"context"
)

// Service is a Service of type LoadBalancer.
type Service struct {
	Namespace, Name string
	UID             string   // tells it from an earlier one of that name
	Class           string   // of the load balancers that are to serve it; empty: the cloud provider's
	Addresses       []string // IP addresses or host names; empty while the load balancer is pending
	Ports           []ServicePort
}

// ServicePort is a port of a load balancer.
type ServicePort struct {
	Name     string // empty when the Service does not name it
	Port     int
	Protocol string // TCP, UDP or SCTP
}

type serviceList struct {
	Items []struct {
		Metadata struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
			UID       string `json:"uid"`
		} `json:"metadata"`
		Spec struct {
			Type  string `json:"type"`
			Class string `json:"loadBalancerClass"`
			Ports []struct {
				Name     string `json:"name"`
				Port     int    `json:"port"`
				Protocol string `json:"protocol"`
			} `json:"ports"`
		} `json:"spec"`
		Status struct {
			LoadBalancer struct {
				Ingress []struct {
					IP       string `json:"ip"`
					Hostname string `json:"hostname"`
				} `json:"ingress"`
			} `json:"loadBalancer"`
		} `json:"status"`
	} `json:"items"`
}

// LoadBalancers returns the Services of type LoadBalancer of all namespaces, in
// the API server's order: by namespace and name.
func (c *Client) LoadBalancers(ctx context.Context) ([]Service, error) {
	var list serviceList
	if err := c.Get(ctx, "/api/v1/services", &list); err != nil {
		return nil, err
	}
	var services []Service
	for _, item := range list.Items {
		if item.Spec.Type != "LoadBalancer" {
			continue
		}
		service := Service{Namespace: item.Metadata.Namespace, Name: item.Metadata.Name, UID: item.Metadata.UID, Class: item.Spec.Class}
		for _, ingress := range item.Status.LoadBalancer.Ingress {
			if address := cmp.Or(ingress.IP, ingress.Hostname); address != "" {
				service.Addresses = append(service.Addresses, address)
			}
		}
		for _, port := range item.Spec.Ports {
			service.Ports = append(service.Ports, ServicePort{Name: port.Name, Port: port.Port, Protocol: port.Protocol})
		}
		services = append(services, service)
	}
	return services, nil
}
