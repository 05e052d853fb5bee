#!/bin/sh
# bring: puts Node.js 24 into DIR/node_modules/.bin/node through npm, exactly the packages that the lockfile beside this
# file names, with their checksums and without running any install script.
#   usage: sh bring.sh DIR [WHY]
#   B1. DIR/node_modules appears by one rename, complete or not at all; two at once do not disturb each other.
#   B2. Nothing outside DIR is written, but npm's own cache.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/npm-step.sh"
dir=$1
why=${2:-Curlew runs on Node.js 24 or newer, this machine has $(node --version 2>/dev/null || echo none).}

[ -x "$dir/node_modules/.bin/node" ] && exit 0
if ! command -v npm >/dev/null 2>&1; then
  say "$why"
  say "It would bring Node.js 24 through npm, but there is no npm on PATH. Install Node.js 24 or newer, then try again."
  exit 1
fi
say "$why"
say "Node.js 24 is brought once through npm into $dir (about 190 MB; nothing else of this machine is changed)."
mkdir -p "$dir"
stage=$dir/.bring-$$
trap 'rm -rf "$stage"' EXIT
mkdir "$stage"
cp "$here/package.json" "$here/package-lock.json" "$stage/"
fetch() { cd "$stage" && npm ci --ignore-scripts --dry-run=false --include=optional --no-audit --no-fund --no-update-notifier --loglevel=error; }
step "Bringing Node.js 24" fetch || exit 1
# npm 10 does not link what an optional package brings.
for brought in "$stage"/node_modules/node-*/bin/node; do
  [ -x "$stage/node_modules/.bin/node" ] || [ ! -x "$brought" ] || {
    mkdir -p "$stage/node_modules/.bin"
    ln -s "../${brought#"$stage"/node_modules/}" "$stage/node_modules/.bin/node"
  }
done
if ! "$stage/node_modules/.bin/node" --version >/dev/null 2>&1; then
  say "npm has no Node.js 24 that runs on this machine ($(uname -s) $(uname -m)). Install Node.js 24 or newer yourself, then try again."
  exit 1
fi
# mv would move into a folder that another set-up made meanwhile, so the rename is asked of Node itself.
node -e 'try { require("fs").renameSync(process.argv[1], process.argv[2]) } catch (e) { if (!require("fs").existsSync(process.argv[2] + "/.bin/node")) throw e }' "$stage/node_modules" "$dir/node_modules"
