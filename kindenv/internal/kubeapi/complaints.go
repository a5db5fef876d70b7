package kubeapi

import (
	"context"
	"net/url"
	"time"
)

// Complaints returns the latest warning about each Service that has one, by
// namespace/name: a controller that can't make a load balancer says so there.
func (c *Client) Complaints(ctx context.Context) (map[string]string, error) {
	var list struct {
		Items []struct {
			InvolvedObject struct {
				Namespace string `json:"namespace"`
				Name      string `json:"name"`
			} `json:"involvedObject"`
			Message       string    `json:"message"`
			LastTimestamp time.Time `json:"lastTimestamp"`
		} `json:"items"`
	}
	selector := url.QueryEscape("involvedObject.kind=Service,type=Warning")
	if err := c.Get(ctx, "/api/v1/events?fieldSelector="+selector, &list); err != nil {
		return nil, err
	}
	complaints, latest := map[string]string{}, map[string]time.Time{}
	for _, item := range list.Items {
		service := item.InvolvedObject.Namespace + "/" + item.InvolvedObject.Name
		if !item.LastTimestamp.Before(latest[service]) {
			complaints[service], latest[service] = item.Message, item.LastTimestamp
		}
	}
	return complaints, nil
}
