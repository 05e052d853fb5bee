// curl-front: the `curl` that is first on a command's PATH, a shell script that starts the real curl and reports its
// call (spec 3.6).
//   F1. The command sees the same as without it: exit code, signals, output, input, files.
//   F2. curl 8.3 and later appends its report to a file (`%output{}`). curl 7.83 to 7.88 can report only to stderr, so
//       descriptor 2 is the report file. Messages reach the command's stderr through another descriptor.
//   F3. It steps aside (record A, with the reason) if it sees -K, --next, a format of the user, or another version.
//   F4. It reads the arguments without changing them or starting a process. The version is read once per run.
//   F5. Credentials of the node go only to $CURLEW_AUTH_HOSTS (spec 8.4). Where a URL leads elsewhere, curl reads its
//       configuration without them.

import { CURL_SHORT_TAKING, CURL_TAKING } from "../../base/curl-options.ts";

const REPORT = "\u001eC\u001f%{json}\u001f%{header_json}\u001e";

export const CURL_FRONT = `#!/bin/sh
# The curl that a command of Curlew finds first. It starts the real one and has it report its call; see docs/calls.md.
_c_real= _c_ifs=$IFS IFS=:
set -f
for _c_d in $PATH; do
  case \${_c_d:=.} in */http-front) continue ;; esac
  if [ -f "$_c_d/curl" ] && [ -x "$_c_d/curl" ]; then _c_real=$_c_d/curl; break; fi
done
IFS=$_c_ifs
set +f
[ -n "$_c_real" ] || { echo 'curl: not found' >&2; exit 127; }
if [ -z "$CURLEW_HTTP" ] || [ $# = 0 ]; then exec "$_c_real" "$@"; fi
# _c_ours URL: whether it leads to one of $CURLEW_AUTH_HOSTS. Every URL that curl could read in another way does not.
_c_ours() {
  _c_h=$1
  case \${1%%://*} in *[!0-9A-Za-z+.-]*) ;; *) _c_h=\${1#*://} ;; esac
  _c_h=\${_c_h%%[/?#]*}
  case $_c_h in *\\\\*) return 1 ;; esac
  _c_h=\${_c_h##*@}
  case $_c_h in
    '['*']' | '['*']:'*) _c_h=\${_c_h%%']'*}] ;;
    *) _c_h=\${_c_h%%:*} ;;
  esac
  case $_c_h in '' | *[!][0-9A-Za-z.:_-]*) return 1 ;; esac
  set -f
  for _c_p in $CURLEW_AUTH_HOSTS; do
    case $_c_p in
      '*.'*) case $_c_h in ?*"\${_c_p#'*'}") set +f; return 0 ;; esac ;;
      "$_c_h") set +f; return 0 ;;
    esac
  done
  set +f
  return 1
}
_c_rep=$CURLEW_HTTP.$$ _c_v= _c_at=
{ read -r _c_v _c_at <"\${CURLEW_HTTP%/*}/version"; } 2>/dev/null
if [ "$_c_at" != "$_c_real" ]; then
  _c_v=$("$_c_real" -q --version 2>/dev/null </dev/null) _c_v=\${_c_v#curl } _c_v=\${_c_v%% *}
  (umask 077 && echo "$_c_v $_c_real" >"\${CURLEW_HTTP%/*}/version") 2>/dev/null
fi
_c_want= _c_x= _c_body=GET _c_get= _c_url= _c_why=$CURLEW_HTTP_WHY _c_live= _c_dump=d _c_bare=
for _c_a do
  case $_c_a in */dev/stderr* | */fd/*) _c_live=1 ;; esac
  if [ -n "$_c_want" ]; then
    case $_c_want$_c_a in
      X*) _c_x=$_c_a ;;
      url*)
        _c_url=\${_c_url:-$_c_a}
        [ -z "$CURLEW_AUTH_HOSTS" ] || _c_ours "$_c_a" || _c_bare=\${_c_h:-a URL without a host}
        ;;
      user*:*) ;;
      user*) _c_live=1 ;;
    esac
    _c_want=
    continue
  fi
  case $_c_a in
    --conf* | --expand-* | --location-t*) _c_bare="what $_c_a says" ;;
    --loc*) [ -z "$CURLEW_AUTH_KEEPS" ] || _c_bare='where a redirect leads (-L)' ;;
  esac
  case $_c_a in
    --w* | --conf* | --nex* | --expand-*) _c_why="curl was called with $_c_a" ;;
    --request) _c_want=X ;;
    --url) _c_want=url ;;
    --data* | --json | --form | --form-string) _c_want=- _c_body=POST ;;
    --upload-file) _c_want=- _c_body=PUT ;;
    --user | --proxy-user) _c_want=user ;;
    --head) _c_body=HEAD ;;
    --get) _c_get=1 ;;
    --du*) _c_want=- _c_dump= ;;
    --verb* | --paral*) _c_live=1 ;;
    --trace | --trace-ascii) _c_live=1 _c_want=- ;;
    --*) case ' ${CURL_TAKING.join(" ")} ' in *" \${_c_a#--} "*) _c_want=- ;; esac ;;
    -?*)
      _c_o=\${_c_a#-} _c_f=\${_c_o%%[${CURL_SHORT_TAKING}]*} _c_o=\${_c_o#"$_c_f"}
      case $_c_f in *:*) _c_why='curl was called with -:' ;; *[vZ]*) _c_live=1 ;; esac
      case $_c_f in *L*) [ -z "$CURLEW_AUTH_KEEPS" ] || _c_bare='where a redirect leads (-L)' ;; esac
      case $_c_f in *I*) _c_body=HEAD ;; *G*) _c_get=1 ;; esac
      case $_c_o in
        w*) _c_why='curl was called with -w' ;;
        K*) _c_why='curl was called with -K' _c_bare='what -K says' ;;
        X?*) _c_x=\${_c_o#X} ;;
        X) _c_want=X ;;
        [dF]*) _c_body=POST ;;
        T*) _c_body=PUT ;;
        D*) _c_dump= ;;
        [uU]?*:*) ;;
        [uU]?*) _c_live=1 ;;
        [uU]) _c_want=user ;;
      esac
      case $_c_o in ?) _c_want=\${_c_want:--} ;; esac
      ;;
    *)
      _c_url=\${_c_url:-$_c_a}
      [ -z "$CURLEW_AUTH_HOSTS" ] || _c_ours "$_c_a" || _c_bare=\${_c_h:-a URL without a host}
      ;;
  esac
done
if [ -n "$CURLEW_AUTH_HOSTS" ] && [ -n "$_c_bare" ]; then
  if [ -n "$CURLEW_AUTH_WITHOUT" ]; then export CURL_HOME="$CURLEW_AUTH_WITHOUT"; else unset CURL_HOME; fi
  { printf '\u001eW\u001f%s\u001e' "$_c_bare" >>"$_c_rep"; } 2>/dev/null
fi
case $_c_v in
  7.8[3-8].*)
    [ -p /dev/fd/2 ] || [ -c /dev/fd/2 ] || _c_live=1
    if [ ! -w /dev/fd/2 ] || [ -e /dev/fd/9 ]; then _c_live=1; fi
    [ -z "$_c_live" ] || _c_why=\${_c_why:-"curl $_c_v reports only quiet calls whose stderr is a pipe; curl 8.3 reports all"}
    ;;
  [0-7].* | 8.[0-2].* | [!0-9]* | '') _c_why=\${_c_why:-"curl $_c_v cannot report; curl 8.3 can"} ;;
esac
case $_c_rep in *[}\\\\%]*) _c_why='the path of its report cannot be written' ;; esac
[ -z "$_c_get" ] || _c_body=GET
_c_rec="B\u001f\${_c_x:-$_c_body}\u001f$_c_url\u001f$_c_dump"
[ -z "$_c_why" ] || _c_rec="A\u001f$_c_why"
{ printf '\u001e%s\u001e' "$_c_rec" >>"$_c_rep"; } 2>/dev/null || _c_why=1
if [ -n "$_c_why" ]; then exec "$_c_real" "$@"; fi
case $1 in -q* | --disable) _c_q=-q ;; *) _c_q= ;; esac
set -- \${_c_dump:+-D} \${_c_dump:+"$_c_rep.d"} "$@"
case $_c_v in
  7.*)
    exec 9>&2
    exec "$_c_real" $_c_q --stderr /dev/fd/9 -w '%{stderr}${REPORT}' "$@" 2>>"$_c_rep"
    ;;
esac
exec "$_c_real" $_c_q -w "%output{>>$_c_rep}${REPORT}" "$@"
`;
