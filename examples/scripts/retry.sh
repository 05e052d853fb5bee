#!/bin/sh
# Runs a command until it succeeds, at most ATTEMPTS times, with PAUSE seconds in between: retry.sh COMMAND [ARGUMENT…]
# Success: prints the command's output, exits 0. Exhausted: says so, exits 1. Notices go to standard error, so that
# standard output is only ever a good answer.
set -u
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

attempt=1
until "$@" >"$answer"; do
  if [ "$attempt" -ge "$ATTEMPTS" ]; then
    printf 'Giving up after %s attempts. The last answer was:\n' "$attempt" >&2
    cat "$answer" >&2
    exit 1
  fi
  printf 'Attempt %s of %s failed. Trying again in %s s.\n' "$attempt" "$ATTEMPTS" "$PAUSE" >&2
  sleep "$PAUSE"
  attempt=$((attempt + 1))
done
cat "$answer"
