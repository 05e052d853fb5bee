#!/bin/sh
# start: `npm start` shows Curlew at work; `npm start -- ARGUMENTS…` is `curlew ARGUMENTS…` from the folder where it was called.
# Runs started this way are kept inside the checkout (.curlew/), unless CURLEW_HOME says otherwise.
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/scripts}
sh "$here/setup.sh" || exit
CURLEW_HOME=${CURLEW_HOME:-$root/.curlew}
export CURLEW_HOME
if [ $# -gt 0 ]; then
  cd "${INIT_CWD:-.}" || exit
  exec "$root/bin/curlew" "$@"
fi
cd "$root" || exit
PATH=$root/node_modules/.bin:$PATH
export PATH
exec node scripts/start.ts
