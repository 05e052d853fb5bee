#!/bin/sh
# build: makes dist/docs, the documentation as the server shows it at /docs.
# The pages are copied beside VitePress first: from docs/ it would not find Vue.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node/npm-step.sh"
sh "$here/bring.sh"
rm -rf "$here/pages"
cp -R "$here/../../docs" "$here/pages"
build() { cd "$here" && node node_modules/vitepress/bin/vitepress.js build .; }
step "Building dist/docs" build
rm -rf "$here/pages"
