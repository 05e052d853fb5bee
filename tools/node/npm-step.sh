# npm-step: runs one step of a set-up, shows that it is alive, and says in one message what to do when it fails.
# Sourced by scripts/setup.sh and tools/node/bring.sh. POSIX sh; everything a person reads goes to stderr.

say() { printf '%s\n' "$*" >&2; }

# step TITLE COMMAND…: returns the command's exit code. Its own words are shown only when it fails.
step() {
  step_title=$1
  shift
  step_log=${TMPDIR:-/tmp}/curlew-step.$$.log
  step_from=$(date +%s)
  "$@" >"$step_log" 2>&1 &
  step_pid=$!
  trap 'kill "$step_pid" 2>/dev/null; rm -f "$step_log"; exit 130' INT TERM HUP
  if [ -t 2 ]; then
    while kill -0 "$step_pid" 2>/dev/null; do
      printf '\r%s … %s s' "$step_title" "$(($(date +%s) - step_from))" >&2
      sleep 1
    done
    printf '\r\033[K' >&2
  else
    say "$step_title …"
  fi
  step_code=0
  wait "$step_pid" || step_code=$?
  trap - INT TERM HUP
  if [ "$step_code" -eq 0 ]; then
    say "$step_title: done in $(($(date +%s) - step_from)) s"
    rm -f "$step_log"
    return 0
  fi
  say "$step_title: failed (exit code $step_code)."
  grep -vE "A complete log|^npm warn|^npm error *$|node:internal|^npm error +at " "$step_log" | head -n 4 | sed 's/^/  | /' >&2
  say "$(remedy "$step_log")"
  rm -f "$step_log"
  return "$step_code"
}

# remedy LOG: the one thing to do next, read from what the step said.
remedy() {
  if grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network' "$1"; then
    echo "The npm registry cannot be reached. Check the network and proxy (npm config get registry, npm config get proxy), then run the same command again: it goes on where it stopped."
  elif grep -qE 'ENOSPC|no space left' "$1"; then
    echo "The disk is full. Free about 500 MB, then run the same command again."
  elif grep -qE 'EACCES|EPERM|EROFS|Permission denied' "$1"; then
    echo "This folder cannot be written. Make it yours (ls -ld .), or use a checkout that is."
  elif grep -qE 'EINTEGRITY' "$1"; then
    echo "A downloaded package is not the one that the lockfile names. Run: npm cache verify, then the same command again."
  elif grep -qE 'lockfileVersion|can only install with an existing package-lock|Unsupported engine' "$1"; then
    echo "This npm is too old or the lockfile is missing. Curlew needs npm 9 or newer (npm --version; it comes with Node.js 20)."
  else
    echo "The lines above say why. When it is mended, run the same command again."
  fi
}
