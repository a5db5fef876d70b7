package kindenv

import (
	"context"
	"fmt"

	"github.com/magekind/magekind/cloudprovider"
	"github.com/magekind/magekind/kindenv/internal/kubeapi"
)

func described(found []cloudprovider.LoadBalancer) []LoadBalancer {
	var balancers []LoadBalancer
	for _, balancer := range found {
		balancers = append(balancers, LoadBalancer{
			Name:  fmt.Sprintf("%s %s/%s", balancer.Kind, balancer.Namespace, balancer.Name),
			State: balancer.State, Addresses: balancer.Addresses, Published: balancer.Ports,
		})
	}
	return balancers
}

// addPorts asks Kubernetes for the Services, and takes their ports.
func (s *session) addPorts(ctx context.Context, status *Status) []kubeapi.Service {
	if status.API != ready {
		return nil
	}
	services, err := s.api.LoadBalancers(ctx)
	if err != nil {
		return nil // the addresses are worth showing without
	}
	for _, service := range services {
		for i := range status.LoadBalancers {
			if status.LoadBalancers[i].Name == balancerOf(service) {
				status.LoadBalancers[i].Ports = ports(service)
			}
		}
	}
	return services
}

// balancerOf is the name of the Service's [LoadBalancer].
func balancerOf(service kubeapi.Service) string {
	return "Service " + service.Namespace + "/" + service.Name
}

func ports(service kubeapi.Service) []ServicePort {
	all := make([]ServicePort, len(service.Ports))
	for i, port := range service.Ports {
		all[i] = ServicePort{Port: port.Port, Protocol: port.Protocol}
	}
	return all
}
