#!/bin/sh
# Starts Docket, or runs one of its commands, with the Node of this release: `docket help` lists them.
set -eu

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
here=$(CDPATH='' cd "${folder:-/}" && pwd -P)

# Data stay outside of the release, which may be read-only and which the next release replaces.
if [ -z "${DATA_DIR:-}" ] && [ -n "${XDG_DATA_HOME:-${HOME:-}}" ]; then
  DATA_DIR=${XDG_DATA_HOME:-$HOME/.local/share}/docket
  export DATA_DIR
fi

# Compiled code belongs to one version, and only Docket's user may write it: Node runs what it finds there. A restore
# needs a DATA_DIR that does not exist yet, so nothing creates it here.
case ${1:-} in
  start | worker) runs=yes ;;
  *) runs= ;;
esac
if [ -n "$runs" ] && [ -z "${NODE_COMPILE_CACHE:-}" ] && [ ! -w "$here/apps/bff" ] && [ -d "${DATA_DIR:-}" ]; then
  NODE_COMPILE_CACHE=$DATA_DIR/compiled
  export NODE_COMPILE_CACHE
fi

exec "$here/node/bin/node" "$here/apps/bff/src/docket.ts" "$@"
