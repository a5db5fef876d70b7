#!/bin/sh
# Stands before the docker CLI on PATH and keeps the cloud provider to one kind
# cluster: a filter on one of the two label keys below, without a value, gets the
# cluster's name as its value. Everything else reaches the docker CLI as it came.

cluster=${MAGEKIND_CLUSTER:?is not set: which kind cluster is this cloud provider for}

# These carry other programs' arguments.
case "${1-} ${2-}" in
"exec "* | "run "* | "create "* | "container exec" | "container run" | "container create") rewrite=no ;;
*) rewrite=yes ;;
esac

# Takes each argument from the front and puts it back at the end, so that
# arguments stay what they are, empty ones and ones with spaces too.
expects=
for argument do
	shift
	filter=
	if [ "$rewrite" = yes ]; then
		case $argument in
		label=*) [ -n "$expects" ] && filter=${argument} ;;
		--filter=*) filter=${argument#--filter=} ;;
		--*) ;;
		-*f*) filter=${argument#*f} filter=${filter#=} ;; # -f, maybe behind others, with its value
		esac
	fi
	case $filter in
	label=io.x-k8s.kind.cluster | label=io.x-k8s.cloud-provider-kind.cluster)
		set -- "$@" "$argument=$cluster" ;;
	*)
		set -- "$@" "$argument" ;;
	esac
	expects=
	case $argument in
	--filter) expects=yes ;;
	--* | -*f*f) ;; # the second f is the value of the first
	-*f) expects=yes ;;
	esac
done

# The next docker on PATH that is not this file.
set -f
IFS=:
for folder in $PATH; do
	candidate=${folder:-.}/docker
	if [ -f "$candidate" ] && [ -x "$candidate" ] && ! [ "$candidate" -ef "$0" ]; then
		unset IFS
		exec "$candidate" "$@"
	fi
done
echo "docker: no docker CLI on PATH ($PATH) behind $0" >&2
exit 127
