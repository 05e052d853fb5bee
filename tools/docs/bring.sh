#!/bin/sh
# bring: installs VitePress, exactly what the lockfile names, without running any install script (about 100 MB).
# node_modules appears by one rename, complete or not at all.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node/npm-step.sh"
wanted=$(cksum <"$here/package-lock.json")
[ "$(cat "$here/node_modules/.curlew-setup" 2>/dev/null)" = "$wanted" ] && exit 0
stage=$here/.bring-$$
trap 'rm -rf "$stage"' EXIT
mkdir "$stage"
cp "$here/package.json" "$here/package-lock.json" "$stage/"
fetch() { cd "$stage" && npm ci --ignore-scripts --dry-run=false --no-audit --no-fund --no-update-notifier --loglevel=error; }
step "Installing VitePress for the documentation" fetch || exit 1
printf '%s' "$wanted" >"$stage/node_modules/.curlew-setup"
rm -rf "$here/node_modules"
mv "$stage/node_modules" "$here/node_modules"
