// curl-front-cut: the end of the curl in front (curl-front.ts F2) where reports come by stderr and others' words with them: it stays beside the
// real curl, and cuts the reports out.

export const CURL_FRONT_CUT = `# Reports are cut out of stderr on its way; where stdout goes to the same place it takes the same way, so that their order stays.
_c_same= _c_live=-u
if [ ! -c /dev/fd/2 ] && [ /dev/fd/1 -ef /dev/fd/2 ]; then _c_same=1; fi
if [ -f /dev/fd/2 ]; then _c_live=; fi
(
  trap '' HUP INT QUIT TERM USR1 USR2
  LC_ALL=C exec sed $_c_live -e ':a
/\x1eC'"$_c_mark"'\x1f/{
:b
/\x1eC'"$_c_mark"'\x1f[^\x1e]*\x1e/!{
$!{
N
bb
}
}
h
s/^.*\\(\x1eC'"$_c_mark"'\x1f[^\x1e]*\x1e\\).*$/\\1/
w '"$_c_rep.w"'
x
s/^\\(.*\\)\x1eC'"$_c_mark"'\x1f[^\x1e]*\x1e/\\1/
ta
}'
) <"$_c_rep.p" >&2 &
_c_sed=$!
_c_counts
# What starts in the background has no standard input but one that is handed over.
if [ -e /dev/fd/0 ]; then eval "exec $_c_fd<&0"; else eval "exec $_c_fd<&-"; fi
if [ -n "$_c_same" ]; then
  eval '"$_c_real" "$@" <&'"$_c_fd $_c_fd"'<&- >"$_c_rep.p" 2>&1 &'
else
  eval '"$_c_real" "$@" <&'"$_c_fd $_c_fd"'<&- 2>"$_c_rep.p" &'
fi
_c_pid=$!
_c_sig=
_c_pass() {
  _c_sig=$1
  # Who is started in the background does not hear these two.
  case $1 in INT | QUIT) kill -TERM $_c_pid ;; *) kill -"$1" $_c_pid ;; esac 2>/dev/null
}
for _c_i in HUP INT QUIT TERM USR1 USR2; do trap "_c_pass $_c_i" $_c_i; done
# The shell would say on stderr what signal ended it.
{ wait $_c_pid; } 2>/dev/null
_c_e=$?
while [ -n "$_c_sig" ] && kill -0 $_c_pid 2>/dev/null; do
  { wait $_c_pid; } 2>/dev/null
  _c_e=$?
done
wait $_c_sed
# Nothing was called: curl did not understand its command line, an address, or could not read a file that is named there.
case $_c_e in 2 | 3 | 26) [ -s "$_c_rep.w" ] || rm -f "$_c_rep" ;; esac
trap - HUP INT QUIT TERM USR1 USR2
if [ $_c_e -gt 128 ]; then
  [ -n "$_c_sig" ] || _c_sig=$((_c_e - 128))
  kill -"$_c_sig" $$
fi
exit $_c_e
`;
