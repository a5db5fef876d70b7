package kindenv

import (
	"context"

	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

// addPorts asks Kubernetes for the ports of the Services.
func (s *session) addPorts(ctx context.Context, status *Status) {
	if status.API != ready || len(status.LoadBalancers) == 0 {
		return
	}
	services, err := s.api.LoadBalancers(ctx)
	if err != nil {
		return // the addresses are worth showing without
	}
	for _, service := range services {
		for i := range status.LoadBalancers {
			if status.LoadBalancers[i].Name == "Service "+service.Namespace+"/"+service.Name {
				status.LoadBalancers[i].Ports = ports(service)
			}
		}
	}
}

func ports(service kubeapi.Service) []ServicePort {
	all := make([]ServicePort, len(service.Ports))
	for i, port := range service.Ports {
		all[i] = ServicePort{Port: port.Port, Protocol: port.Protocol}
	}
	return all
}
