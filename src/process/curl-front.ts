// curl-front: the `curl` that stands first on a command's PATH: a shell script that starts the real one, told to report its calls (spec 3.6).
//   F1. The command sees what it would see without it: exit code, signals, output, input, formats (`-w`), files. The rest is not seen.
//   F2. curl 8.3 and later append reports to a file (`%output{}`). Before, a format can write to stderr only: where stderr is a pipe or a
//       device, and nothing is said while a call goes on, curl takes the script's place with descriptor 2 on the report and its
//       messages on another (`swap`, 7.83 to 7.88); else the reports are cut out of stderr on its way (`cut`), and the script stays.
//   F3. A format of the user's, on the command line, in -K files and in .curlrc, has ours before it: `%{onerror}` ends what follows.
//   F4. `--next` forgets configuration: what Curlew says (https only, who signs in) and the report are said again for each operation.
//   F5. Without forks on the usual way: a call costs the start of a shell. Which curl it is, is asked once a run.
//   F6. CURLEW_CURL is the curl that was meant, where it was not looked for on PATH (curl-by-path.ts). What it starts is its own business.
//   F7. A curl before 8.9 that may try again has its tries counted (curl-tries.c) once a trial went well; else it is said that they are not.
// Deliberately absent: calls through `sudo` and `env -i`, curl before 7.83; how reports are written (nodes/http-seen.ts).

import { CURL_PLAIN, CURL_TAKING, CURL_WRITE_OUT } from "../base/curl-options.ts";
import { CURL_FRONT_CUT } from "./curl-front-cut.ts";

export const CURL_FRONT = `#!/bin/sh
# The curl that a command of Curlew finds first. It starts the real one, told to report its calls; see docs/reference/http-calls.md.
_c_real=$CURLEW_CURL _c_ifs=$IFS
unset CURLEW_CURL CURLEW_CURL_FRONT
case $_c_real in '' | /*) ;; *) _c_real=$PWD/$_c_real ;; esac
IFS=:
set -f
[ -n "$_c_real" ] || for _c_d in $PATH; do
  case \${_c_d:=.} in */http-front) continue ;; esac
  if [ -f "$_c_d/curl" ] && [ -x "$_c_d/curl" ]; then
    _c_real=$_c_d/curl
    break
  fi
done
IFS=$_c_ifs
set +f
[ -n "$_c_real" ] || { echo 'curl: not found' >&2; exit 127; }
# Nobody listens, or nothing is called.
if [ -z "$CURLEW_HTTP" ] || [ $# = 0 ]; then exec "$_c_real" "$@"; fi
# Which curl it is, asked once a run.
_c_v= _c_at= _c_tries=
{ { read -r _c_v _c_at; read -r _c_tries; } <"\${CURLEW_HTTP%/*}/version"; } 2>/dev/null
if [ "$_c_at" != "$_c_real" ]; then
  _c_v=$("$_c_real" -q --version 2>/dev/null </dev/null)
  case $_c_v in 'curl '[0-9]*.[0-9]*) ;; *) exec "$_c_real" "$@" ;; esac
  _c_v=\${_c_v#curl } _c_v=\${_c_v%% *}
  _c_tries=
  (umask 077 && echo "$_c_v $_c_real" >"\${CURLEW_HTTP%/*}/version") 2>/dev/null
fi
_c_m=\${_c_v#*.} _c_m=\${_c_m%%.*}
case \${_c_v%%.*} in
  7) _c_how=swap; [ "$_c_m" -ge 83 ] || exec "$_c_real" "$@" ;;
  8) _c_how=file; [ "$_c_m" -ge 3 ] || _c_how=cut ;;
  *) _c_how=file ;;
esac
# What the command line says. An argument is looked at: it completes an option (got, val, and pre: what stands before the value in it),
# wants a value (want), or begins the next operation (isnext).
_c_taking=' ${CURL_TAKING.join(" ")} '
_c_plain=' ${CURL_PLAIN.join(" ")} '
_c_written=' ${CURL_WRITE_OUT.join(" ")} '
_c_look() {
  _c_got= _c_isnext=
  if [ -n "$_c_want" ]; then
    _c_got=$_c_want _c_val=$1 _c_pre= _c_want=
    return
  fi
  case $_c_flags$1 in
    1--) _c_flags= ;;
    1--?*) _c_long "\${1#--}" ;;
    1-?*) _c_short "\${1#-}" ;;
    *) _c_got=url _c_val=$1 _c_pre= ;;
  esac
}
_c_long() {
  _c_o=\${1#expand-}
  case $_c_o in
    write-out) _c_want=w _c_opt=--$1 ;;
    config) _c_want=K ;;
    url) _c_want=url ;;
    request) _c_want=X ;;
    data | data-ascii | data-binary | data-raw | data-urlencode | json | form | form-string) _c_want=d ;;
    upload-file) _c_want=T ;;
    dump-header) _c_want=D ;;
    user | proxy-user) _c_want=u ;;
    retry) _c_want=r ;;
    cert | key | proxy-cert | proxy-key | trace | trace-ascii) _c_live=1 _c_want=- ;;
    next) _c_isnext=1 ;;
    verbose | parallel | retry-all-errors) _c_live=1 ;;
    head) _c_verb=HEAD ;;
    get) _c_get=1 ;;
    help | manual | version) _c_none=1 ;;
    write-out=* | config=* | *,*) _c_none=1 ;;
    no-*) ;;
    *)
      case $_c_plain in *" $_c_o "*) return ;; esac
      case $_c_taking in *" $_c_o "*)
        _c_want=-
        return
        ;;
      esac
      case " next verbose help parallel$_c_taking" in
        *" $_c_o"*)
          _c_o=" next verbose help parallel$_c_taking" _c_o=\${_c_o#*" $1"} _c_o=\${_c_o%% *}
          case $_c_o in '' | *[!a-z0-9.-]*) ;; *) _c_long "$1$_c_o" ;; esac
          ;;
      esac
      ;;
  esac
}
_c_short() {
  _c_o=$1 _c_p=-
  while [ -n "$_c_o" ]; do
    _c_ch=\${_c_o%"\${_c_o#?}"} _c_o=\${_c_o#?}
    _c_p=$_c_p$_c_ch
    case $_c_ch in
      [sSfLiNkgaOJRn0123456#jlBpq]) continue ;;
      :) _c_isnext=1 ;;
      v | Z) _c_live=1 ;;
      I) _c_verb=HEAD ;;
      G) _c_get=1 ;;
      h | M | V) _c_none=1 ;;
      [AbcCdDeEFHKmoPQrtTuUwxXyYz])
        case $_c_ch in
          w) _c_opt=-w ;;
          K | X | d | T | D | u) ;;
          F) _c_ch=d ;;
          U) _c_ch=u ;;
          E) _c_ch=- _c_live=1 ;;
          *) _c_ch=- ;;
        esac
        if [ -n "$_c_o" ]; then _c_got=$_c_ch _c_val=$_c_o _c_pre=$_c_p; else _c_want=$_c_ch; fi
        return
        ;;
    esac
  done
}
# Of a name in a format that it does not know curl speaks on descriptor 2.
_c_knows() {
  _c_o=$1
  while :; do
    case $_c_o in *'%{'*) _c_o=\${_c_o#*%\\{} ;; *) return ;; esac
    case $_c_written in *" \${_c_o%%\\}*} "*) ;; *) _c_live=1 ;; esac
  done
}
_c_want= _c_flags=1 _c_live= _c_none= _c_get= _c_verb= _c_body= _c_x= _c_opt= _c_w= _c_fmt= _c_k= _c_next= _c_url= _c_heads= _c_retry=
for _c_a do
  _c_look "$_c_a"
  [ -z "$_c_isnext" ] || _c_next=1 _c_live=1
  case $_c_got in
    '') ;;
    url)
      if [ -n "$_c_url" ]; then _c_live=1; else _c_url=$_c_val; fi
      case $_c_val in *[\\[{]*) _c_live=1 ;; esac
      ;;
    w)
      _c_w=$_c_opt _c_fmt=$_c_val
      case $_c_val in *'%{stderr}'* | @*) _c_live=1 ;; *'%{'*) _c_knows "$_c_val" ;; esac
      ;;
    K) _c_k=1 _c_live=1 ;;
    X) _c_x=$_c_val ;;
    d) _c_body=\${_c_body:-POST} ;;
    T) _c_body=PUT ;;
    D) _c_heads=1 ;;
    u) case $_c_val in *:*) ;; *) _c_live=1 ;; esac ;;
    r) _c_retry=1 _c_live=1 ;;
  esac
  case $_c_a in *dev/stderr* | */fd/*) _c_live=1 ;; esac
done
[ -z "$_c_get" ] || _c_body=
if [ -n "$_c_none$_c_want" ]; then exec "$_c_real" "$@"; fi
_c_rep=$CURLEW_HTTP.$$
case $_c_rep in *[}\\\\\\&\\"]*) exec "$_c_real" "$@" ;; esac
# Where curl would look for its own configuration, had Curlew not said CURL_HOME.
_c_curlhome=$CURL_HOME
if [ -n "$CURLEW_CURLRC" ] && [ "$CURL_HOME" = "\${CURLEW_CURLRC%/*}" ]; then _c_curlhome=$CURLEW_CURL_HOME; fi
_c_rc= _c_q= _c_mix=
case $1 in
  -q* | --disable) _c_q=1 ;;
  *)
    for _c_i in "\${_c_curlhome:+$_c_curlhome/.curlrc}" "\${XDG_CONFIG_HOME:+$XDG_CONFIG_HOME/.curlrc}" \\
      "\${XDG_CONFIG_HOME:+$XDG_CONFIG_HOME/curlrc}" "\${HOME:+$HOME/.curlrc}" "\${HOME:+$HOME/.config/curlrc}"; do
      if [ -n "$_c_i" ] && [ -f "$_c_i" ]; then
        _c_rc=$_c_i
        break
      fi
    done
    ;;
esac
# Whether a configuration has a format of its own, or several operations, and curl understands it (what it does not, it names by its file);
# and whether it says something while a call goes on.
_c_mixes() {
  _c_has=
  while IFS= read -r _c_l || [ -n "$_c_l" ]; do
    case $_c_l in
      [[:space:]]*'#'* | '#'*) ;;
      *write-out* | *next* | w* | -w* | *[[:space:]]w* | *[[:space:]]-w*) _c_has=1 _c_live=1 ;;
      *retry*) _c_retry=1 _c_live=1 ;;
      *verbose* | *trace* | *stderr* | *parallel* | -v* | v* | -Z* | *cert* | *key*) _c_live=1 ;;
      *user* | *url*) _c_live=1 ;;
      *dump-header* | -D* | D*) _c_heads=1 ;;
    esac
  done <"$1"
  [ -n "$_c_has" ] && "$_c_real" -q -K "$1" -V >/dev/null 2>&1 </dev/null
}
if [ -n "$_c_rc" ]; then
  if [ ! -r "$_c_rc" ]; then _c_live=1; elif _c_mixes "$_c_rc"; then _c_mix=1; fi
fi
_c_cut=
if [ $_c_how = cut ]; then
  _c_cut=1
elif [ $_c_how = swap ] && [ -e /dev/fd/2 ]; then
  if [ -n "$_c_live" ]; then _c_cut=1; elif [ -p /dev/fd/2 ] || [ -c /dev/fd/2 ]; then [ -w /dev/fd/2 ] || _c_cut=1; else _c_cut=1; fi
fi
if [ -n "$_c_next$_c_k$_c_mix" ] && [ $# -gt 1000 ]; then exec "$_c_real" "$@"; fi
# Before 8.3 each character of a report is a write: a call that stands alone tells what is wanted, and its heads go to a file.
_c_dump=
if [ $_c_how = swap ] && [ -z "$_c_cut$_c_live$_c_heads" ]; then
  _c_f='%{stderr}\x1eL\x1f%{method}\x1f%{url}\x1f%{url_effective}\x1f%{scheme}\x1f%{response_code}\x1f%{num_redirects}\x1f%{exitcode}\x1f%{errormsg}'
  _c_f=$_c_f'\x1f%{size_upload}\x1f%{size_download}\x1f%{time_total}\x1f%{time_namelookup}\x1f%{time_connect}\x1f%{time_appconnect}\x1f%{time_starttransfer}\x1e%{stdout}'
  _c_dump=d
else
  # Nobody else's words are cut out of stderr: a report has a name of its own there.
  _c_mark=
  if [ -n "$_c_cut" ]; then { read -r _c_mark </proc/sys/kernel/random/uuid; } 2>/dev/null; fi
  _c_f="\x1eC$_c_mark\x1f%{json}\x1f%{header_json}\x1e%{stdout}"
  if [ $_c_how = file ]; then _c_f="%output{>>$_c_rep}$_c_f"; else _c_f='%{stderr}'$_c_f; fi
fi
# What curl has opened when it has understood its command line, and begins.
if [ -n "$_c_retry" ] && [ -z "$_c_heads$_c_next$_c_k" ]; then _c_dump=d; fi
if [ $_c_how = file ] && [ -z "$_c_dump$_c_heads$_c_k" ]; then _c_dump=e; fi
_c_fd=
for _c_i in 9 8 7 6 5 4 3; do
  if [ ! -e /dev/fd/$_c_i ]; then
    _c_fd=$_c_i
    break
  fi
done
# Descriptors of its own: all are taken, or the system has no /dev/fd.
if [ $_c_how != file ]; then
  if [ -z "$_c_fd" ] || [ ! -d /dev/fd ]; then exec "$_c_real" "$@"; fi
fi
case $_c_fmt in @-) ;; @*) [ -r "\${_c_fmt#@}" ] || exec "$_c_real" "$@" ;; esac
# From here on it is seen.
{ printf '\x1eB\x1f%s\x1f%s\x1f%s\x1e' "\${_c_x:-\${_c_verb:-\${_c_body:-GET}}}" "$_c_url" "$_c_dump" >>"$_c_rep"; } 2>/dev/null || exec "$_c_real" "$@"
if [ -n "$_c_cut" ]; then mkfifo -m 600 "$_c_rep.p" 2>/dev/null || exec "$_c_real" "$@"; fi
if [ -n "$CURLEW_CURLRC" ] && [ -r "$CURLEW_CURLRC" ]; then
  _c_ours=$CURLEW_CURLRC
  if [ -z "$_c_curlhome" ]; then unset CURL_HOME; else CURL_HOME=$_c_curlhome; fi
else
  _c_ours=
fi
# A configuration with ours put before each format of its own, and into each operation.
_c_count=0 _c_made=
_c_copy() {
  _c_count=$((_c_count + 1))
  _c_made=$_c_rep.k$_c_count
  LC_ALL=C sed -e "s\x01^\\([[:space:]]*-*\\(expand-\\)\\{0,1\\}\\(write-out\\|w\\)[[:space:]]*[=:[:space:]][[:space:]]*\\"\\)\\([^@]\\)\x01\\1$_c_f\\4\x01
t
s\x01^\\([[:space:]]*-*\\(expand-\\)\\{0,1\\}\\(write-out\\|w\\)[[:space:]]*[=:[:space:]][[:space:]]*\\)\\([^\\"@=:[:space:]]\\)\x01\\1$_c_f\\4\x01
t
/^[[:space:]]*-*\\(write-out\\|w\\)[=:[:space:]]*\\"\\{0,1\\}@\\([^-\\"].*\\)/{
s\x01\x01\\2\x01
s/\\"*[[:space:]]*\\$//
w $_c_rep.n
s\x01.*\x01write-out = \\"@$_c_rep.f\\"\x01
}
/^[[:space:]]*-*next[[:space:]]*\\$/a\\\\
\${_c_ours:+config = \\"$_c_ours\\"\\\\
}write-out = \\"$_c_f\\"" >"$_c_made"
  while IFS= read -r _c_l; do [ ! -r "$_c_l" ] || _c_file <"$_c_l"; done <"$_c_rep.n"
}
_c_file() {
  { printf '%s' "$_c_f" && cat; } >"$_c_rep.f"
}
if [ -n "$_c_mix" ]; then
  _c_copy <"$_c_rc"
  _c_q=1
fi
_c_first=$_c_made _c_n=0
if [ -n "$_c_next$_c_k" ]; then
  _c_n=$#
elif [ -n "$_c_w" ]; then
  case $_c_flags$_c_fmt in 1@* | [!1]* | '') _c_n=$# ;; *) set -- "$@" "$_c_w" "$_c_f$_c_fmt" ;; esac
fi
_c_want= _c_flags=1
while [ $_c_n -gt 0 ]; do
  _c_a=$1
  shift
  _c_n=$((_c_n - 1))
  _c_look "$_c_a"
  case $_c_got in
    w)
      case $_c_val in
        @-) _c_file && _c_a=\${_c_pre}@$_c_rep.f ;;
        @*) if [ -r "\${_c_val#@}" ]; then _c_file <"\${_c_val#@}" && _c_a=\${_c_pre}@$_c_rep.f; fi ;;
        *) _c_a=$_c_pre$_c_f$_c_val ;;
      esac
      ;;
    K)
      case $_c_val in
        - | /dev/stdin) _c_copy && exec <"$_c_made" ;;
        *)
          if [ -p "$_c_val" ] && [ -r "$_c_val" ]; then
            _c_copy <"$_c_val" && _c_a=$_c_pre$_c_made
          elif [ -f "$_c_val" ] && [ -r "$_c_val" ] && _c_mixes "$_c_val"; then
            _c_copy <"$_c_val" && _c_a=$_c_pre$_c_made
          fi
          ;;
      esac
      ;;
  esac
  set -- "$@" "$_c_a"
  if [ -n "$_c_isnext" ]; then set -- "$@" -w "$_c_f" \${_c_ours:+-K} \${_c_ours:+"$_c_ours"}; fi
done
set -- \${_c_q:+-q} -w "$_c_f" \${_c_first:+-K} \${_c_first:+"$_c_first"} \${_c_ours:+-K} \${_c_ours:+"$_c_ours"} \\
  \${_c_dump:+-D} \${_c_dump:+"$_c_rep.$_c_dump"} "$@"
# How often a curl before 8.9 tries is counted within it, where a trial went well: once a run.
_c_counted=
if [ -n "$_c_retry$_c_k" ] && { [ $_c_how != file ] || [ "\${_c_v%%.*}$_c_m" -lt 89 ]; }; then
  _c_obj=\${0%/*}/../curl-tries.so
  if [ -z "$_c_tries" ]; then
    _c_tries=none
    if [ -r "$_c_obj" ]; then
      _c_i=$(CURLEW_CURL_TRIES="$_c_rep.t" LD_PRELOAD="$_c_obj" "$_c_real" -q -s file:///dev/null 2>&1 </dev/null)
      if [ -z "$_c_i" ] && [ -s "$_c_rep.t" ]; then _c_tries=counted; fi
      : >"$_c_rep.t"
    fi 2>/dev/null
    { echo $_c_tries >>"\${CURLEW_HTTP%/*}/version"; } 2>/dev/null
  fi
  if [ $_c_tries = counted ]; then _c_counted=1; elif [ -n "$_c_retry" ]; then printf '\x1eN\x1e' >>"$_c_rep"; fi
fi
_c_counts() {
  if [ -n "$_c_counted" ]; then export CURLEW_CURL_TRIES="$_c_rep.t" LD_PRELOAD="$_c_obj\${LD_PRELOAD:+:$LD_PRELOAD}"; fi
}
if [ $_c_how = file ]; then
  _c_counts
  exec "$_c_real" "$@"
fi
if [ -z "$_c_cut" ]; then
  _c_counts
  # curl writes reports to descriptor 2, and everything else to another that is the command's stderr.
  if [ ! -e /dev/fd/2 ]; then exec "$_c_real" --stderr /dev/null "$@" 2>>"$_c_rep"; fi
  eval "exec $_c_fd>&2"
  exec "$_c_real" --stderr "/dev/fd/$_c_fd" "$@" 2>>"$_c_rep"
fi
${CURL_FRONT_CUT}`;
