#!/bin/sh
# bring: installs what serves the tiny model, exactly what the lockfile names, without running any install script (about 85 MB).
#   usage: sh tools/tiny-llm/bring.sh [--quiet]    with --quiet a machine it is not made for is no failure
#   B1. node_modules appears by one rename, complete or not at all. Nothing outside this folder is written, but npm's own cache.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node/npm-step.sh"
wanted=$(cksum <"$here/package-lock.json")
[ "$(cat "$here/node_modules/.curlew-setup" 2>/dev/null)" = "$wanted" ] && exit 0
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  [ "${1:-}" = --quiet ] && exit 0
  say "The tiny model is served on Linux x86_64 only; any OpenAI-compatible server, Ollama for one, can take its place."
  exit 1
fi
stage=$here/.bring-$$
trap 'rm -rf "$stage"' EXIT
mkdir "$stage"
cp "$here/package.json" "$here/package-lock.json" "$stage/"
fetch() { cd "$stage" && npm ci --ignore-scripts --omit=optional --dry-run=false --no-audit --no-fund --no-update-notifier --loglevel=error; }
step "Bringing the tiny language model's server" fetch || exit 1
printf '%s' "$wanted" >"$stage/node_modules/.curlew-setup"
rm -rf "$here/node_modules"
mv "$stage/node_modules" "$here/node_modules"
