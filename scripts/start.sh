#!/bin/sh
# start: `npm start` shows Curlew at work; `npm start -- ARGUMENTS…` is `curlew ARGUMENTS…` from the folder where it was called.
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/setup.sh" || exit
if [ $# -gt 0 ]; then
  cd "${INIT_CWD:-.}" || exit
  exec "$here/../bin/curlew" "$@"
fi
cd "$here/.." || exit
PATH=$PWD/node_modules/.bin:$PATH
export PATH
exec node scripts/start.ts
