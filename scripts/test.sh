#!/bin/sh
# test: `npm test` sets up when needed, runs every test that this machine can run, and names what it left out.
# `npm test -- src/store` runs a part.
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/setup.sh" || exit
cd "$here/.." || exit
# Without it (no network, another platform) its tests are left out and named.
sh tools/tiny-llm/bring.sh --quiet || :
PATH=$PWD/node_modules/.bin:$PATH
export PATH
exec node scripts/test.ts "$@"
