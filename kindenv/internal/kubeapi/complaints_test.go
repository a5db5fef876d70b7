package kubeapi_test

import (
	"maps"
	"testing"
)

func TestComplaints(t *testing.T) {
	t.Parallel()
	event := func(name, message, at string) string {
		return `{"involvedObject":{"namespace":"default","name":"` + name + `"},"message":"` + message + `","lastTimestamp":` + at + `}`
	}
	client := ask(t, answers{"/api/v1/events?fieldSelector=involvedObject.kind%3DService%2Ctype%3DWarning": `{"items":[` +
		event("a", "second", `"2026-01-02T03:04:06Z"`) + "," + event("a", "first", `"2026-01-02T03:04:05Z"`) + "," +
		event("b", "untimed", "null") + `]}`})
	got, err := client.Complaints(t.Context())
	if want := map[string]string{"default/a": "second", "default/b": "untimed"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
	if _, err := ask(t, answers{}).Complaints(t.Context()); err == nil {
		t.Error("a list that fails: no error")
	}
}
