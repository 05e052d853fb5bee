#!/bin/sh
# setup: makes a fresh checkout ready to run and to test. Needs Node.js 20 or newer with npm, nothing else.
#   S1. Says each step on stderr; says nothing when there is nothing to do, and then takes under 0.3 s.
#   S2. Leaves nothing outside this checkout, but npm's own cache.
#   S3. A step that fails says what to do, and no later step is tried.
# The steps: a Node.js that is new enough; the packages of package-lock.json; dist/ built; the commands linked.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
. tools/node/npm-step.sh

new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge 24 ]
}

if ! command -v node >/dev/null 2>&1; then
  say "Curlew needs Node.js 20 or newer with npm on PATH, and finds no node."
  exit 1
fi

# Which packages belong here: changes with the lockfiles, the platform, and whether Node was brought.
wanted=$(cat package-lock.json tools/node/package-lock.json | cksum)-$(uname -sm)
brought=tools/node/node_modules/.bin/node
ready() {
  [ "$(cat node_modules/.curlew-setup 2>/dev/null)" = "$wanted" ] && [ -x bin/curlew ] && [ -L node_modules/.bin/curlew ] &&
    { [ -x node_modules/.bin/node ] || new_enough node; }
}

# One set-up at a time in one checkout; a lock whose owner is gone is taken over.
lock=.setup-lock
enter() {
  while ! mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || echo)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$lock"
    else
      sleep 1
    fi
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$root/$lock"' EXIT
}

install_packages() {
  npm ci --ignore-scripts --dry-run=false --include=dev --include=optional --no-audit --no-fund --no-update-notifier --loglevel=error
}

if ! ready; then
  enter
  if [ ! -x "$brought" ] && ! new_enough node; then
    sh tools/node/bring.sh tools/node || exit 1
  fi
  [ -x "$brought" ] && PATH=$root/tools/node/node_modules/.bin:$PATH
  export PATH
  # Somebody may have run npm install already: then what stands there is what the lockfile says.
  if ! node scripts/installed.mjs; then
    step "Installing the packages of package-lock.json" install_packages || exit 1
  fi
  mkdir -p node_modules/.bin
  ln -sf ../../bin/curlew node_modules/.bin/curlew
  # npm puts node_modules/.bin first on PATH: from now on every npm script runs on this Node.
  if [ -x "$brought" ]; then ln -sf "../../$brought" node_modules/.bin/node; fi
  printf '%s' "$wanted" >node_modules/.curlew-setup
fi

PATH=$root/node_modules/.bin:$PATH
export PATH
node scripts/build.ts --if-stale || exit 1
