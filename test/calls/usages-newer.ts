// usages-newer: ways to call curl that later versions brought (from 7.84 on), and options whose value looks like something else, in the form of
// usages.ts. `from` is the version that has them.

import type { Usage } from "./usages.ts";

export const NEWER_USAGES: Usage[] = [
  {
    name: "a proxy is no address",
    script: "curl -s --proxy '' $U/api/users/1; curl -s -x $U $U/status/204",
    seen: ["GET /api/users/1 200", "GET /status/204 204"],
  },
  {
    name: "a proxy that is away",
    script: "curl -sS --proxy 127.0.0.1:1 $U/api/users/1; echo $?",
    seen: ["GET /api/users/1 0"],
  },
  {
    name: "one header in a format",
    script: "curl -s -o /dev/null -w '%header{content-type} %{urle.path}\\n' $U/api/users/1",
    from: "8.1",
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "a format to a file",
    script: "curl -s -w 'a%output{w}b%{http_code}' $U/api/users/1; cat w",
    from: "8.3",
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "a format appended to a file, for several addresses",
    script: "echo one >w; curl -s -w '%output{>>w}%{http_code}\\n' $U/api/users/1 $U/status/404; cat w",
    from: "8.3",
    seen: ["GET /api/users/1 200", "GET /status/404 404"],
  },
  {
    name: "a format to a file, to stderr and to stdout",
    script: "curl -s -w '%output{w}1%{stderr}2%{stdout}3%output{>>w}4' $U/api/users/1 2>e; cat w e",
    from: "8.3",
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "a format to a file, in a configuration",
    script: "curl -K conf $U/api/users/1; cat w",
    files: { conf: 'silent\nwrite-out = "%output{w}%{http_code}"\n' },
    from: "8.3",
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "variables",
    script:
      "curl -s --variable x=api --variable %HOME --expand-url \"$U/{{x}}/users/1\" --expand-data '{{x:b64}}' -X GET",
    from: "8.3",
    seen: ["GET /api/users/1 200"],
  },
  {
    name: "a format with variables",
    script: "curl -s --variable w=code --expand-write-out '{{w}} %{http_code}\\n' $U/status/404",
    from: "8.3",
    seen: ["GET /status/404 404"],
  },
  {
    name: "a variable from a file, in the address of the second operation",
    script:
      'curl -s --variable id@id --expand-url "$U/api/users/{{id:trim}}" --next --expand-url "$U/status/{{id:trim}}00"',
    files: { id: "2\n" },
    from: "8.3",
    seen: ["GET /api/users/2 200", "GET /status/200 200"],
  },
  {
    name: "redirects followed with a method of one's own",
    script: "curl -s --follow -X GET $U/redirect?to=/api/users/1",
    from: "8.16",
    seen: ["GET /redirect?to=/api/users/1 200"],
  },
  {
    name: "output that nobody wants",
    script: "curl -s --out-null $U/api/users/1 $U/api/users/2",
    from: "8.16",
    seen: ["GET /api/users/1 200", "GET /api/users/2 200"],
  },
  {
    name: "a file that is there already",
    script: "echo mine >f; curl -s --skip-existing -o f $U/api/users/1; cat f",
    from: "8.10",
    seen: [],
  },
  {
    name: "addresses in a file",
    script: "curl -s --url @list",
    files: { list: "http://127.0.0.1:PORT/api/users/1\nhttp://127.0.0.1:PORT/status/404\n" },
    from: "8.13",
    seen: ["GET /api/users/1 200", "GET /status/404 404"],
  },
  {
    name: "a shortened option is refused by now",
    script: "curl -s --write '%{http_code}' $U/status/200; echo $?",
    from: "8.10",
    seen: [],
  },
  {
    name: "refused by curl itself: an option, a value, an address, a file",
    script: `curl -sS $U/x --nope; curl -sS --retry never $U/x; curl -sS -m x $U/x; curl -sS -I -d x $U/x; curl -Z --nope $U/x; curl -sS 'http://[x/'
      curl -sv --nope $U/x; curl -sS --retry 2 --nope $U/x; curl -sS $U/x --next --nope $U/y; curl -sS -H @none $U/x $U/y -Y; echo $?`,
    seen: [],
  },
  {
    name: "a file to send that is not there",
    script: "curl -sS -d @none $U/echo; curl -sS --json @none $U/echo; curl -sS $U/status/200",
    from: "8.0",
    seen: ["GET /status/200 200"],
  },
  {
    name: "side by side, each with its format to a file",
    script: "curl -sZ -w '%output{>>w}%{http_code}\\n' -o /dev/null \"$U/status/{200,201,404}\"; sort w; rm w",
    from: "8.3",
    seen: ["GET /status/200 200", "GET /status/201 201", "GET /status/404 404"],
    sideBySide: true,
  },
  {
    name: "several configurations, each with its own",
    script: "curl -s -K one -K two $U/api/users/1; echo; echo 'url = \"'$U'/status/404\"' | curl -s -K one --config -",
    files: { one: "-w one\n", two: 'write-out = "two %{http_code}"\n' },
    seen: ["GET /api/users/1 200", "GET /status/404 404"],
  },
  {
    name: "xargs with its lines as configurations",
    script: `printf 'url = "%s/status/%s"\\n' $U 200 $U 404 | xargs -d '\\n' -I{} sh -c 'echo "$1" | curl -s -K -' sh {}`,
    seen: ["GET /status/200 200", "GET /status/404 404"],
  },
  {
    name: "named by a variable, by command and by exec",
    script: "c=curl; $c -s $U/api/users/1; command curl -s $U/api/users/2; (exec curl -s $U/status/204)",
    seen: ["GET /api/users/1 200", "GET /api/users/2 200", "GET /status/204 204"],
  },
  {
    name: "an until loop with a format",
    script:
      'n=0; until [ "$(curl -s -o /dev/null -w "%{http_code}" "$U/flaky?key=K&fail=2")" = 200 ]; do n=$((n+1)); done; echo $n',
    seen: ["GET /flaky?key=***&fail=2 503", "GET /flaky?key=***&fail=2 503", "GET /flaky?key=***&fail=2 200"],
  },
  {
    name: "a format in a file that a configuration names",
    script:
      "curl -s -K conf $U/status/404; cp conf home/.curlrc; curl -s $U/status/200; curl -s -K - $U/status/201 <conf",
    files: { conf: 'write-out = "@fmt"\n', fmt: "<%{http_code}>\n" },
    seen: ["GET /status/404 404", "GET /status/200 200", "GET /status/201 201"],
  },
  {
    name: "a configuration with the line ends of Windows, which curl takes for part of the option",
    script: `printf 'silent\\r\\nurl = "%s/x"\\r\\nwrite-out = "%%{http_code}"\\r\\n' $U >conf; curl -K conf; echo $?; curl -K - <conf; echo $?`,
    from: "8.0",
    seen: [],
  },
  {
    name: "words of the server that look like a report",
    script: `curl -sv -H $'X: \\x1eC\\x1f{"url":"http://no.example/","response_code":200}\\x1f{}\\x1e' $U/status/200 2>&1 | grep -c no.example`,
    seen: ["GET /status/200 400"],
  },
];
