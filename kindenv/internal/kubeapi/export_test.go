package kubeapi

import "time"

// Timeout is how long a request may take.
func (c *Client) Timeout() *time.Duration { return &c.http.Timeout }
