// usages-by-path: ways in which a command starts curl past PATH: by its path (`REAL`, its folder `BIN`), with a PATH of its own, in a login
// shell, and by programs that do so for it. See usages.ts.

import type { Usage } from "./usages.ts";

const PYTHON = `import subprocess, os, sys
subprocess.run(["REAL", "-s", os.environ["U"] + "/status/201"])
subprocess.run("REAL -s $U/status/202", shell=True, close_fds=True)
sys.stdout.flush()
os.execv("REAL", ["curl", "-s", os.environ["U"] + "/status/203"])
`;
const one = ["GET /status/200 200"];

export const USAGES_BY_PATH: Usage[] = [
  { name: "its path", script: "REAL -sS $U/api/items/1", seen: ["GET /api/items/1 200"] },
  { name: "its path, with its progress", script: "REAL $U/status/204", seen: ["GET /status/204 204"] },
  {
    name: "its path, with a format of one's own",
    script:
      "REAL -s -o /dev/null -w '%{http_code}\\n' $U/status/503; REAL -so/dev/null -w'<%{http_code}>' $U/status/201",
    seen: ["GET /status/503 503", "GET /status/201 201"],
  },
  {
    name: "its path, verbose, next, a configuration from stdin, and no configuration at all",
    script:
      "REAL -sv $U/status/200 --next -sI $U/status/204 2>&1 | grep '^[<>] [HG]'; echo url = $U/status/201 | REAL -sK -; REAL -q -sS $U/status/202",
    seen: ["GET /status/200 200", "HEAD /status/204 204", "GET /status/201 201", "GET /status/202 202"],
  },
  {
    name: "its path, refused: nobody there, not understood, no such option",
    script: "REAL -sS http://127.0.0.1:1/; echo $?; REAL --no-such; echo $?; REAL -sSf $U/status/404",
    seen: ["GET / 0", "GET /status/404 404"],
  },
  {
    name: "programs that start it by its path",
    script:
      "command REAL -s $U/status/200; env REAL -s $U/status/200; timeout 9 REAL -s $U/status/200; nice REAL -s $U/status/200; setsid -w REAL -s $U/status/200; (exec REAL -s $U/status/200)",
    seen: [...one, ...one, ...one, ...one, ...one, ...one],
  },
  {
    name: "xargs and find, by its path",
    script:
      "echo $U/status/200 | xargs REAL -s; echo $U/status/200 | xargs -I{} REAL -s {}; find . -maxdepth 0 -exec REAL -s $U/status/200 \\;",
    seen: [...one, ...one, ...one],
  },
  {
    name: "many at once, by its path",
    script: "for i in 1 2 3 4; do REAL -s -o $i $U/status/200 & done; wait; cat 1 2 3 4",
    seen: [...one, ...one, ...one, ...one],
    sideBySide: true,
  },
  {
    name: "another name for itself",
    script: "(exec -a fetch REAL -s $U/status/200); exec REAL -s $U/status/200",
    seen: [...one, ...one],
  },
  {
    name: "its path in a variable, an alias and a function",
    script:
      "shopt -s expand_aliases; C=REAL; $C -s $U/status/200\nalias get='REAL -s'\nget $U/status/200\ncurl() { REAL -s \"$@\"; }\ncurl $U/status/200",
    seen: [...one, ...one, ...one],
  },
  { name: "a folder that it stands in", script: "cd BIN && ./curl -s $U/status/200", seen: one },
  {
    name: "a PATH of its own",
    script: "env PATH=BIN:/usr/bin:/bin curl -s $U/status/200; PATH=BIN:/usr/bin:/bin; curl -s $U/status/200",
    seen: [...one, ...one],
  },
  {
    name: "a login shell, whose profile begins PATH anew",
    script: "bash -lc 'curl -s $U/status/200'",
    files: { "home/.bash_profile": "PATH=BIN:/usr/bin:/bin\n" },
    seen: one,
  },
  {
    name: "Python, by its path",
    script: "python3 get.py",
    files: { "get.py": PYTHON },
    seen: ["GET /status/201 201", "GET /status/202 202", "GET /status/203 203"],
  },
  {
    name: "a script that is called, by its path",
    script: "chmod 755 fetch.sh; ./fetch.sh; sh fetch.sh",
    files: { "fetch.sh": "#!/bin/sh\nREAL -s $U/status/200\n" },
    seen: [...one, ...one],
  },
  {
    name: "make, by its path",
    script: "make -s",
    files: { Makefile: "all:\n\t@REAL -s $(U)/status/200\n\t@exec REAL -s $(U)/status/204\n" },
    seen: [...one, "GET /status/204 204"],
  },
  {
    name: "Perl, by its path",
    script: `perl -e 'system("REAL", "-s", "$ENV{U}/status/200"); exec "REAL -s $ENV{U}/status/204"'`,
    seen: [...one, "GET /status/204 204"],
  },
  {
    name: "Node.js, by its path",
    script: `node -e 'require("child_process").execFileSync("REAL", ["-s", process.env.U + "/status/200"], { stdio: "inherit" })'`,
    seen: one,
  },
  {
    name: "sh, by its path",
    script: "REAL -s $U/status/200; command REAL -s $U/status/200",
    shell: "sh",
    seen: [...one, ...one],
  },
  {
    name: "zsh, by its path",
    script: "REAL -s $U/status/200; =curl -s $U/status/200",
    shell: "zsh",
    seen: [...one, ...one],
  },
];
