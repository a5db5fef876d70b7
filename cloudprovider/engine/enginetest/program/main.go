//go:build linux

// Command program is what the containers of the contract suite run. It takes
// its orders as arguments and follows them one after the other:
//
//	out=TEXT   print a line to stdout
//	err=TEXT   print a line to stderr
//	say=TEXT   print a line to the stdout of the container's first process
//	env=NAME   print an environment variable
//	id         print the user and group
//	cat=FILE   print a file's content
//	stat=FILE  print a file's mode, owner and group
//	write=FILE make a file and print "written", or "read-only"
//	caps       print the capabilities in effect and within reach, and whether no more can be gained
//	links      print the network interfaces that are up, but the loopback
//	sleep=TIME wait
//	wait       wait for the stop signal
//	ignore     wait for ever, whatever the signal
//	exit=CODE  end
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	// From the start: a first process without a handler is deaf to signals.
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	for _, order := range os.Args[1:] {
		if err := follow(order, stop); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func follow(order string, stop <-chan os.Signal) error {
	verb, value, _ := strings.Cut(order, "=")
	switch verb {
	case "out":
		fmt.Println(value)
	case "err":
		fmt.Fprintln(os.Stderr, value)
	case "say":
		return say(value)
	case "env":
		fmt.Println(os.Getenv(value))
	case "id":
		fmt.Printf("%d:%d\n", os.Getuid(), os.Getgid())
	case "cat":
		return cat(value)
	case "stat":
		return stat(value)
	case "write":
		return write(value)
	case "caps":
		return caps()
	case "links":
		return links()
	case "sleep":
		return sleep(value)
	case "wait":
		<-stop
	case "ignore":
		for range stop {
		}
	case "exit":
		return exit(value)
	default:
		return fmt.Errorf("unknown order %q", order)
	}
	return nil
}

func say(text string) error {
	first, err := os.OpenFile("/proc/1/fd/1", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer first.Close()
	_, err = fmt.Fprintln(first, text)
	return err
}

func cat(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(os.Stdout, f)
	return err
}

func stat(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	fmt.Printf("%s %d:%d\n", info.Mode(), owner.Uid, owner.Gid)
	return nil
}

func sleep(value string) error {
	d, err := time.ParseDuration(value)
	if err == nil {
		time.Sleep(d)
	}
	return err
}

func exit(value string) error {
	code, err := strconv.Atoi(value)
	if err == nil {
		os.Exit(code)
	}
	return err
}
