package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net"
	"net/netip"
	"os"
)

// routes is the kernel's table of IPv4 routes.
const routes = "/proc/net/route"

// shortestPrefix is the shortest that counts as a place that somebody uses:
// what is shorter is the default route, or the halves of it that a VPN sets.
const shortestPrefix = 8

// ensureBridge makes the bridge device of our dockerd, with an address in a
// subnet that no route of the host leads to, unless it is there.
func (l layout) ensureBridge(ctx context.Context) error {
	device, err := net.InterfaceByName(l.bridge())
	if err != nil {
		if err := ip(ctx, "link", "add", "name", l.bridge(), "type", "bridge"); err != nil {
			return err
		}
		if device, err = net.InterfaceByName(l.bridge()); err != nil {
			return fmt.Errorf("looking for the bridge %q: %w", l.bridge(), err)
		}
	}
	if has, err := hasIPv4(device); err != nil {
		return err
	} else if !has {
		used, err := usedPrefixes(routes)
		if err != nil {
			return err
		}
		subnet, err := freeSubnet(used)
		if err != nil {
			return err
		}
		address := netip.PrefixFrom(subnet.Addr().Next(), subnet.Bits())
		if err := ip(ctx, "address", "add", address.String(), "dev", l.bridge()); err != nil {
			return err
		}
	}
	return ip(ctx, "link", "set", "dev", l.bridge(), "up")
}

// removeBridge removes the device if it is there.
func (l layout) removeBridge(ctx context.Context) error {
	if _, err := net.InterfaceByName(l.bridge()); err != nil {
		return nil
	}
	return ip(ctx, "link", "delete", "dev", l.bridge())
}

func hasIPv4(device *net.Interface) (bool, error) {
	addresses, err := device.Addrs()
	if err != nil {
		return false, fmt.Errorf("reading the addresses of %q: %w", device.Name, err)
	}
	for _, address := range addresses {
		if prefix, err := netip.ParsePrefix(address.String()); err == nil && prefix.Addr().Is4() {
			return true, nil
		}
	}
	return false, nil
}

// freeSubnet returns the first candidate that overlaps no prefix in use. The
// candidates are at the ends of the ranges that docker gives its networks
// from, so that those stay free, and outside of Kubernetes' usual ranges.
func freeSubnet(used []netip.Prefix) (netip.Prefix, error) {
	var candidates []netip.Prefix
	for i := range byte(12) {
		candidates = append(candidates, netip.PrefixFrom(netip.AddrFrom4([4]byte{172, 31 - i, 255, 0}), 24))
	}
	for i := range byte(12) {
		candidates = append(candidates, netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 168, 253 - i, 0}), 24))
	}
	for i := range byte(12) {
		candidates = append(candidates, netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 213 + i, 255, 0}), 24))
	}
candidates:
	for _, candidate := range candidates {
		for _, prefix := range used {
			if prefix.Overlaps(candidate) {
				continue candidates
			}
		}
		return candidate, nil
	}
	return netip.Prefix{}, errors.New("choosing a subnet for the engine's bridge: the host has routes to all of the candidates in 172.20.0.0/12, 192.168.0.0/16 and 10.0.0.0/8")
}

// usedPrefixes returns what the host has routes to (default routes apart) or addresses in.
func usedPrefixes(routeTable string) ([]netip.Prefix, error) {
	file, err := os.Open(routeTable)
	if err != nil {
		return nil, fmt.Errorf("reading the host's routes: %w", err)
	}
	defer file.Close()
	used, err := parseRoutes(file)
	if err != nil {
		return nil, err
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("reading the host's addresses: %w", err)
	}
	for _, address := range addresses {
		if prefix, err := netip.ParsePrefix(address.String()); err == nil && prefix.Addr().Is4() {
			used = append(used, prefix.Masked())
		}
	}
	return used, nil
}

// parseRoutes reads /proc/net/route: a line of titles, then one for each route,
// with the destination second and the mask eighth, in hexadecimal digits of the host's byte order.
func parseRoutes(table io.Reader) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	lines := bufio.NewScanner(table)
	for first := true; lines.Scan(); first = false {
		var device, destination, gateway, flags, count, use, metric, mask string
		if _, err := fmt.Sscan(lines.Text(), &device, &destination, &gateway, &flags, &count, &use, &metric, &mask); err != nil || first {
			continue
		}
		to, err1 := hex.DecodeString(destination)
		of, err2 := hex.DecodeString(mask)
		if err1 != nil || err2 != nil || len(to) != 4 || len(of) != 4 {
			return nil, fmt.Errorf("reading the host's routes: unexpected line %q", lines.Text())
		}
		length := bits.OnesCount32(binary.BigEndian.Uint32(of))
		if length < shortestPrefix {
			continue
		}
		var address [4]byte
		binary.NativeEndian.PutUint32(address[:], binary.BigEndian.Uint32(to))
		prefixes = append(prefixes, netip.PrefixFrom(netip.AddrFrom4(address), length).Masked())
	}
	return prefixes, lines.Err()
}
