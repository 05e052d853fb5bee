// usages: ways in which people call curl, usual and not, each with exactly the calls that are to be seen. `U` is the sample API, `S` the same
// with TLS, `CA` its certificate; the folder is empty but for the files that `files` names, `HOME` is `home` in it.

export interface Usage {
  name: string;
  script: string;
  /** `METHOD PATH STATUS`, in the order of their ends; sorted when the calls run side by side. */
  seen: string[];
  sideBySide?: true;
  /** Most of its time is waiting: with and without our curl it runs at the same time. */
  waits?: true;
  files?: Record<string, string>;
  shell?: string;
  /** For versions of curl from this one on, and before that one. */
  from?: string;
  before?: string;
}

const loop = "for i in 1 2 3; do";

export const USAGES: Usage[] = [
  {
    name: "one's own .curlrc with a file for heads",
    script: "curl $U/status/200; head -1 h",
    files: { "home/.curlrc": "silent\ndump-header = h\n" },
    seen: ["GET /status/200 200"],
  },
  { name: "one call", script: "curl -sS $U/api/items/1", seen: ["GET /api/items/1 200"] },
  { name: "no options at all, with its progress", script: "curl $U/status/204", seen: ["GET /status/204 204"] },
  { name: "an error that nobody minds", script: "curl -s $U/status/404", seen: ["GET /status/404 404"] },
  { name: "fail", script: "curl -sSf $U/status/500", seen: ["GET /status/500 500"] },
  { name: "fail with body", script: "curl --fail-with-body -sS $U/status/418", seen: ["GET /status/418 418"] },
  { name: "a pipe", script: "curl -s $U/api/items | head -c 20", seen: ["GET /api/items 200"] },
  {
    name: "a reader that stops early",
    script: "curl -sS $U/huge?bytes=9000000 | head -c 5",
    seen: ["GET /huge?bytes=9000000 200"],
  },
  {
    name: "a loop",
    script: `${loop} curl -s $U/api/items/$i; done`,
    seen: [1, 2, 3].map((i) => `GET /api/items/${i} 200`),
  },
  { name: "a substitution", script: 'x=$(curl -s "$U/api/items/2"); echo "<$x>"', seen: ["GET /api/items/2 200"] },
  {
    name: "a function and a subshell",
    script: 'get() ( curl -s "$U$1" ); get /api/items/3',
    seen: ["GET /api/items/3 200"],
  },
  {
    name: "a format of one's own",
    script: "curl -s -o /dev/null -w '%{http_code}\\n' $U/status/503",
    seen: ["GET /status/503 503"],
  },
  { name: "an address that is none", script: "curl -sS ''; curl -sS \"$U/a b\"; echo $?", seen: [] },
  {
    name: "a POST that is led elsewhere, where it becomes a GET",
    script: 'curl -sL -d x "$U/redirect?to=/status/200"; curl -sLv --json 1 "$U/redirect?to=/status/201" 2>/dev/null',
    seen: ["POST /redirect?to=/status/200 200", "POST /redirect?to=/status/201 201"],
  },
  { name: "-w as a value", script: "curl -s -d -w -H '-w: --next' $U/echo | jq -r .body", seen: ["POST /echo 200"] },
  { name: "body to a file", script: "curl -s -o out $U/api/items/4 && cat out", seen: ["GET /api/items/4 200"] },
  { name: "body under the remote's name", script: "curl -sO $U/api/items/5 && cat 5", seen: ["GET /api/items/5 200"] },
  { name: "body to stderr", script: "curl -s -o /dev/stderr $U/api/items/5", seen: ["GET /api/items/5 200"] },
  {
    name: "heads to a file",
    script: "curl -s -D heads $U/status/200 >/dev/null; head -1 heads",
    seen: ["GET /status/200 200"],
  },
  { name: "heads with the body", script: "curl -si $U/status/202 | head -1", seen: ["GET /status/202 202"] },
  { name: "heads alone", script: "curl -sI $U/api/items | head -1", seen: ["HEAD /api/items 200"] },
  { name: "verbose", script: "curl -sv $U/status/200 2>&1 | grep '^[<>] [GH]'", seen: ["GET /status/200 200"] },
  {
    name: "verbose, stderr in a file",
    script: "curl -sv $U/status/200 2>log; grep -vc 'sent off' log; tail -1 log",
    seen: ["GET /status/200 200"],
  },
  {
    name: "stderr appended to a file",
    script: "exec 2>>log; echo one >&2; curl -sSf $U/status/404; echo two >&2; cat log",
    seen: ["GET /status/404 404"],
  },
  { name: "stderr thrown away", script: "curl $U/status/200 2>/dev/null", seen: ["GET /status/200 200"] },
  { name: "stderr closed", script: "curl -sS $U/api/users/1 2>&-", seen: ["GET /api/users/1 200"] },
  {
    name: "stderr by curl's option",
    script: "curl -sSf --stderr log $U/status/404; cat log",
    seen: ["GET /status/404 404"],
  },
  {
    name: "stdout and stderr in one file",
    script: "curl -sSf $U/status/404 >log 2>&1; echo $?; cat log",
    seen: ["GET /status/404 404"],
  },
  { name: "no standard input", script: "curl -s $U/api/users/1 <&-", seen: ["GET /api/users/1 200"] },
  {
    name: "a body from standard input",
    script: "printf 'a b' | curl -s -d @- $U/echo | jq -r .body",
    seen: ["POST /echo 200"],
  },
  { name: "json", script: `curl -s --json '{"title":"x"}' $U/echo | jq -r .method`, seen: ["POST /echo 200"] },
  { name: "put", script: "curl -s -X PUT -d x=1 $U/echo | jq -r .method", seen: ["PUT /echo 200"] },
  { name: "delete", script: "curl -s -XDELETE $U/status/204", seen: ["DELETE /status/204 204"] },
  {
    name: "upload",
    script: "curl -s -T file $U/echo | jq -r .body",
    files: { file: "content" },
    seen: ["PUT /echo 200"],
  },
  {
    name: "form",
    script: "curl -s -F a=1 -F b=@file $U/echo | jq -r .method",
    files: { file: "x" },
    seen: ["POST /echo 200"],
  },
  {
    name: "get with data",
    script: "curl -sG --data-urlencode 'q=a b' -d limit=2 $U/api/search | jq .total",
    seen: ["GET /api/search?q=a+b&limit=2 200"],
  },
  { name: "redirects", script: "curl -sL $U/redirect?to=/api/users/1", seen: ["GET /redirect?to=/api/users/1 200"] },
  { name: "a redirect not followed", script: "curl -s $U/redirect?to=/x", seen: ["GET /redirect?to=/x 302"] },
  {
    name: "several addresses",
    script: "curl -s $U/api/users/1 $U/status/404 $U/api/users/2",
    seen: ["GET /api/users/1 200", "GET /status/404 404", "GET /api/users/2 200"],
  },
  { name: "a glob", script: 'curl -s "$U/api/users/[1-3]"', seen: [1, 2, 3].map((i) => `GET /api/users/${i} 200`) },
  {
    name: "next",
    script: "curl -s $U/api/users/1 --next -s -d a $U/echo -o /dev/null",
    seen: ["GET /api/users/1 200", "POST /echo 200"],
  },
  {
    name: "side by side in one process",
    script: 'curl -sZ "$U/api/users/[1-3]" -o "f#1"; cat f1 f2 f3',
    seen: [1, 2, 3].map((i) => `GET /api/users/${i} 200`),
    sideBySide: true,
  },
  {
    name: "in the background",
    script: "curl -s $U/slow?ms=200 -o a & curl -s $U/api/users/1 -o b & wait; cat a b",
    seen: ["GET /api/users/1 200", "GET /slow?ms=200 200"],
    sideBySide: true,
  },
  {
    name: "a configuration",
    script: "curl -K conf",
    files: { conf: 'silent\nurl = "http://127.0.0.1:PORT/api/users/1"\n' },
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "one's own .curlrc",
    script: "curl $U/api/users/2",
    files: { "home/.curlrc": "silent\n" },
    seen: ["GET /api/users/2 200"],
  },
  {
    name: "a .curlrc left out",
    script: "curl -q $U/api/users/2 2>/dev/null",
    files: { "home/.curlrc": 'write-out = "no"\n' },
    seen: ["GET /api/users/2 200"],
  },
  {
    name: "another CURL_HOME",
    script: "CURL_HOME=$PWD/other curl $U/api/users/2",
    files: { "other/.curlrc": "silent\nuser-agent = x\n" },
    seen: ["GET /api/users/2 200"],
  },
  {
    name: "curl's own retries",
    script: "curl -sS --retry 3 --retry-delay 1 '$U/flaky?key=K&fail=1'".replaceAll("'", '"'),
    seen: ["GET /flaky?key=***&fail=1 200"],
  },
  {
    name: "curl's own retries, of a server that refuses, and one that is too slow",
    waits: true,
    script: `curl -sS --retry 2 --retry-delay 1 --retry-connrefused http://127.0.0.1:1/x; echo $?; curl -s --retry 1 --retry-delay 1 -m 0.3 $U/slow?ms=5000 2>log; echo $?
      cat log; curl -s --retry 2 $U/api/users/1`,
    seen: ["GET /x 0", "GET /slow?ms=5000 0", "GET /api/users/1 200"],
  },
  { name: "refused", script: "curl -sS http://127.0.0.1:1/x; echo $?", seen: ["GET /x 0"] },
  { name: "a name that is not there", script: "curl -sS http://nobody.invalid/x; echo $?", seen: ["GET /x 0"] },
  { name: "too slow", script: "curl -sS -m 0.3 $U/slow?ms=5000; echo $?", seen: ["GET /slow?ms=5000 0"] },
  { name: "ended by timeout", script: "timeout 0.4 curl -sS $U/slow?ms=5000; echo $?", seen: ["GET /slow?ms=5000 0"] },
  {
    name: "ended by timeout, verbose",
    script: "timeout 0.5 curl -sv $U/slow?ms=5000 2>&1 | grep '^> GET'",
    seen: ["GET /slow?ms=5000 0"],
  },
  {
    name: "ended by SIGINT, verbose",
    script: "timeout -s INT 0.5 curl -sv $U/slow?ms=5000 2>/dev/null; echo $?",
    seen: ["GET /slow?ms=5000 0"],
  },
  { name: "in the place of the shell", script: "exec curl -s $U/api/users/3", seen: ["GET /api/users/3 200"] },
  {
    name: "by env, nice and command",
    script: "env A=1 curl -s $U/status/200; nice curl -s $U/status/201; command curl -s $U/status/202",
    seen: ["GET /status/200 200", "GET /status/201 201", "GET /status/202 202"],
  },
  {
    name: "by another program",
    script: `python3 -c 'import subprocess,os; print(subprocess.check_output(["curl","-s",os.environ["U"]+"/api/users/1"]))'`,
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "by sh in find",
    script: 'find . -maxdepth 0 -exec sh -c \'curl -s "$U/api/users/1"\' ";"',
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "with an empty environment, which nobody sees",
    script: "env -i PATH=$PATH $(command -v env) curl -s $U/api/users/1",
    seen: [],
  },
  { name: "with TLS", script: "curl -s --cacert $CA $S/api/users/1", seen: ["GET /api/users/1 200"] },
  { name: "an unknown certificate", script: "curl -sS $S/api/users/1; echo $?", seen: ["GET /api/users/1 0"] },
  {
    name: "user and password",
    script: "curl -s -u me:pw $U/echo | jq -r .headers.authorization",
    seen: ["GET /echo 200"],
  },
  {
    name: "a user whose password is asked for",
    script: "echo pw | setsid curl -s -u me $U/status/200",
    seen: ["GET /status/200 200"],
  },
  {
    name: "-- and then addresses",
    script: "curl -s -w '%{http_code}' -- $U/status/200",
    seen: ["GET /status/200 200"],
  },
  { name: "an option that is none", script: "curl --frobnicate $U/x; echo $?", seen: [] },
  { name: "an option without its value", script: "curl $U/x -o; echo $?", seen: [] },
  { name: "no address", script: "curl -s; curl; echo $?", seen: [] },
  { name: "help and version", script: "curl --version | head -c 5; curl -h >/dev/null; echo $?", seen: [] },
  { name: "another scheme", script: "echo hi >f; curl -s file://$PWD/f", seen: [] },
  { name: "an address without a scheme", script: "curl -s ${U#http://}/api/users/1", seen: ["GET /api/users/1 200"] },
  {
    name: "descriptors of one's own",
    script: "exec 9<<<'a b' 3>f; curl -s -d @/dev/fd/9 $U/echo -o /dev/fd/3; jq -r .body f",
    seen: ["POST /echo 200"],
  },
  {
    name: "odd arguments",
    script: "curl -s -d $'a\\nb \\\\ \"%{x}\" $(id) `id` é' $U/echo | jq .body",
    seen: ["POST /echo 200"],
  },
  {
    name: "dash",
    shell: "dash",
    script: "curl -s $U/api/users/1 && curl -s $U/api/users/2",
    seen: ["GET /api/users/1 200", "GET /api/users/2 200"],
  },
  {
    name: "a folder with blanks",
    script: 'mkdir "a b"; cd "a b"; curl -s $U/api/users/1 -o "c d"; cat *',
    seen: ["GET /api/users/1 200"],
  },
  { name: "bytes as they are", script: "curl -s $U/binary?bytes=512 | cksum", seen: ["GET /binary?bytes=512 200"] },
];
