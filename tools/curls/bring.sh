#!/bin/sh
# Brings other versions of curl beside this checkout, for the tests that call curl in unusual ways (test/calls): from this machine's own Debian
# mirror, with the libraries they need, into tools/curls/SUITE/bin/curl. Nothing is installed: a curl there is started by its own loader.
# What cannot be had is named, and left out.   sh tools/curls/bring.sh [SUITE…]
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- trixie sid
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/$' | head -n 1)
if [ -z "$mirror" ]; then
  echo "No other curl was brought: this machine has no Debian mirror in its apt sources."
  exit 0
fi

bring() {
  into=$here/$1
  [ ! -x "$into/bin/curl" ] || return 0
  work=$(mktemp -d) && mkdir -p "$work/lists/partial" "$work/archives/partial" && : >"$work/status" || return 1
  echo "deb $mirror $1 main" >"$work/sources.list"
  # A machine of its own, on which nothing is installed: all that curl needs comes along.
  set -- "$1" -q -y --no-install-recommends -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work" -o APT::Sandbox::User=
  suite=$1
  shift
  if apt-get "$@" update >"$work/log" 2>&1 && apt-get "$@" --download-only install curl >>"$work/log" 2>&1; then
    mkdir -p "$work/root" "$work/out/bin"
    for package in "$work"/archives/*.deb; do dpkg-deb -x "$package" "$work/root" || return 1; done
    mv "$work/root" "$work/out/root"
    loader=$(find "$work/out/root" -name 'ld-linux-*.so.*' -print -quit)
    libraries=$(find "$work/out/root" -name 'libc.so.6' -print -quit)
    [ -n "$loader" ] && [ -n "$libraries" ] || return 1
    loader=$into/${loader#"$work/out/"} libraries=$into/$(dirname "${libraries#"$work/out/"}")
    printf '#!/bin/sh\nexec %s --argv0 curl --library-path %s %s "$@"\n' "'$loader'" "'$libraries'" "'$into/root/usr/bin/curl'" >"$work/out/bin/curl"
    chmod 755 "$work/out/bin/curl"
    rm -rf "$into" && mv "$work/out" "$into"
  else
    tail -n 3 "$work/log"
  fi
  [ -x "$into/bin/curl" ] && "$into/bin/curl" -q --version >/dev/null
}

work=
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
for suite; do
  bring "$suite"
  brought=$?
  [ -z "$work" ] || rm -rf "$work"
  work=
  if [ $brought = 0 ]; then
    echo "curl of $suite: $("$here/$suite/bin/curl" -q --version | sed -n 's/^curl \([^ ]*\).*/\1/p')"
  else
    rm -rf "${here:?}/$suite"
    echo "The curl of $suite could not be brought; its tests are left out."
  fi
done
