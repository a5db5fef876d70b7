package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magekind/magekind/magefiles/images/cloudprovider/internal/kube"
)

// className is the name of both classes, and of the real cloud provider.
const className = "cloud-provider-kind"

const (
	definitions    = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	gatewayClasses = "/apis/gateway.networking.k8s.io/v1/gatewayclasses"
	ingressClasses = "/apis/networking.k8s.io/v1/ingressclasses"
)

// installCRDs creates the definitions of the Gateway API that the cluster lacks.
func (c *Controller) installCRDs(ctx context.Context, cluster string, client *kube.Client) {
	folder := filepath.Join(c.settings.CRDs, c.settings.GatewayChannel)
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		c.log.Errorf("Failed to install the Gateway API in cluster %s: no definitions in %s", cluster, folder)
		return
	}
	var created atomic.Int32
	var all sync.WaitGroup
	for _, file := range files {
		all.Go(func() {
			switch err := installCRD(ctx, client, file); {
			case err == nil:
				created.Add(1)
			case !errors.Is(err, kube.ErrConflict) && !errors.Is(err, errNoCRD):
				c.log.Errorf("Failed to install %s in cluster %s: %v", filepath.Base(file), cluster, err)
			}
		})
	}
	all.Wait()
	c.log.Infof("Gateway API CRDs of channel %s installed in cluster %s: %d new", c.settings.GatewayChannel, cluster, created.Load())
}

var errNoCRD = errors.New("not a custom resource definition")

// installCRD posts one file of the Gateway API's release, which is named
// <group>_<plural>.yaml, unless that definition is there already.
func installCRD(ctx context.Context, client *kube.Client, file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Contains(raw, []byte("\nkind: CustomResourceDefinition\n")) {
		return errNoCRD
	}
	group, plural, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".yaml"), "_")
	if err := client.Get(ctx, definitions+"/"+plural+"."+group, nil); err == nil {
		return kube.ErrConflict
	}
	return client.Create(ctx, definitions, raw)
}

// offerClasses creates the GatewayClass and the IngressClass and accepts the
// former, again and again until it has succeeded.
func (c *Controller) offerClasses(ctx context.Context, cluster string, client *kube.Client) {
	for said := ""; ctx.Err() == nil; pause(ctx, c.settings.PendingPoll) {
		err := errors.Join(c.offerIngressClass(ctx, client), offerGatewayClass(ctx, client))
		if err == nil {
			c.log.Infof("GatewayClass and IngressClass %s offered in cluster %s; this stand-in serves no Gateway and no Ingress", className, cluster)
			return
		}
		if said != err.Error() && ctx.Err() == nil {
			said = err.Error()
			c.log.Errorf("Failed to offer the classes in cluster %s, retrying: %v", cluster, err)
		}
	}
}

// offerIngressClass makes the class the default one only when it is first created.
func (c *Controller) offerIngressClass(ctx context.Context, client *kube.Client) error {
	annotations := map[string]string{}
	if c.settings.DefaultIngress {
		annotations["ingressclass.kubernetes.io/is-default-class"] = "true"
	}
	return create(ctx, client, ingressClasses, object{
		"apiVersion": "networking.k8s.io/v1", "kind": "IngressClass",
		"metadata": object{"name": className, "annotations": annotations},
		"spec":     object{"controller": "kind.sigs.k8s.io/ingress-controller"},
	})
}

func offerGatewayClass(ctx context.Context, client *kube.Client) error {
	err := create(ctx, client, gatewayClasses, object{
		"apiVersion": "gateway.networking.k8s.io/v1", "kind": "GatewayClass",
		"metadata": object{"name": className},
		"spec":     object{"controllerName": "kind.sigs.k8s.io/gateway-controller"},
	})
	if err != nil {
		return err
	}
	var class struct {
		Metadata struct {
			Generation int64 `json:"generation"`
		} `json:"metadata"`
	}
	if err := client.Get(ctx, gatewayClasses+"/"+className, &class); err != nil {
		return err
	}
	accepted := object{
		"type": "Accepted", "status": "True", "reason": "Accepted",
		"message":            "accepted by magekind's stand-in of the cloud provider, which serves no Gateway",
		"observedGeneration": class.Metadata.Generation, "lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
	}
	return client.Patch(ctx, gatewayClasses+"/"+className+"/status", object{"status": object{"conditions": []object{accepted}}})
}

type object map[string]any

// create posts an object; one that is there already is fine.
func create(ctx context.Context, client *kube.Client, path string, o object) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("writing an object for %s: %w", path, err)
	}
	if err := client.Create(ctx, path, raw); err != nil && !errors.Is(err, kube.ErrConflict) {
		return err
	}
	return nil
}
