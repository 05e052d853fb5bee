// Values in real scripts run by a real bash: the variables and the prologue that reach the command, or the failure.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/setup/folders.ts";
import { has } from "../../../test/setup/machine.ts";
import { limits } from "../../base/limits.ts";
import { impossible, ok } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import { type Dialect, rewriteShell } from "../../shell/rewrite/index.ts";
import type { RunFiles } from "../values.ts";
import { shellValues } from "./script-values.ts";

const folder = tempFolder();
let number = 0;
const files: RunFiles = {
  path: (name) => join(folder, name),
  fresh: (suffix) => `${++number}.${suffix}`,
  mask: (text) => text,
  learn: () => {},
  seal: () => impossible("nothing is secret here"),
  unseal: () => undefined,
  has: () => true,
};

async function prepare(script: string, values: Record<string, string | Value>, shell: Dialect = "bash") {
  const program = await rewriteShell(script, shell, (root) => Object.hasOwn(values, root));
  if (!program.ok) throw new Error(program.error[0]?.message);
  const given = await shellValues(
    program.value,
    ({ root }) => {
      const value = values[root];
      return value === undefined ? undefined : ok(typeof value === "string" ? { text: value } : value);
    },
    files,
  );
  return { given, script: program.value.script };
}

/** The output of the script with these values, or the code of the failure. */
async function check(
  script: string,
  values: Record<string, string | Value>,
  expected: string,
  shell: Dialect = "bash",
): Promise<void> {
  const { given, script: text } = await prepare(script, values, shell);
  if (!given.ok) {
    expect(given.error.code, given.error.message).toBe(expected);
    return;
  }
  const file = files.path(files.fresh("sh"));
  writeFileSync(file, given.value.prologue + text);
  const done = spawnSync(shell, [file], {
    env: { PATH: process.env.PATH ?? "", ...given.value.variables },
    maxBuffer: 1 << 28,
    input: "",
    timeout: 5_000,
  });
  expect(done.stdout.toString() + done.stderr.toString()).toBe(expected);
}

test("members and filters are computed before the value is exported", async () => {
  const one = '{"items":[{"id":7,"name":"Ann \\"A\\""}]}';
  await check(
    "printf '%s|' ${1.items[0].id} \"${1.items[0].name}\" ${1.items[0]}",
    { 1: one },
    '7|Ann "A"|{"id":7,"name":"Ann \\"A\\""}|',
  );
  await check("printf '%s' '{\"q\": ${v|json}}'", { v: 'say "hi"\n' }, '{"q": "say \\"hi\\"\\n"}');
  await check("printf '%s' \"?q=${v|uri}\"", { v: "a b&c/é" }, "?q=a%20b%26c%2F%C3%A9");
  await check("printf '%s' ${v|b64} ${v|int}", { v: " 042 " }, `${Buffer.from(" 042 ").toString("base64")}42`);
  await check('sh -c "printf %s ${v|sh}"', { v: "a 'b' $(x)" }, "a 'b' $(x)");
  await check("printf '%s' ${1.items[1].id}", { 1: one }, "template-missing-member");
});

test("|file is the path of a file with the exact bytes, of any size and any encoding", async () => {
  await check("cat ${v|file}; cat < ${v|file}", { v: "a\n\n" }, "a\n\na\n\n");
  writeFileSync(files.path("bytes.out"), Buffer.from([0xff, 0x00, 0x0a, 0x41, 0x0a]));
  await check("od -An -tx1 ${v|file}", { v: { file: "bytes.out", bytes: 4 } }, " ff 00 0a 41\n");
  await check("wc -c < ${v|file}", { v: "x".repeat(3_000_000) }, "3000000\n");
  await check("cat ${1.a|file}", { 1: '{"a":"text"}' }, "text");
});

test("a large value is read from a file if only the shell reads it", async () => {
  const large = `${"line 'with' \"all\" $(sorts)\n".repeat(20_000)}\n\n`;
  expect(large.length).toBeGreaterThan(limits.exportedValueBytesMax);
  for (const shell of has("zsh") ? (["bash", "sh", "zsh"] as const) : (["bash", "sh"] as const)) {
    await check("cat <<EOF\n${v}.\nEOF\n", { v: large }, `${large}.\n`, shell);
    await check("x=${v}; printf '%s.' \"$x\"", { v: large }, `${large}.`, shell);
    await check("if [ ${v} = y ]; then printf y; else printf n; fi", { v: large }, "n", shell);
  }
  await check("cat <<< ${v}", { v: large }, `${large}\n`);
  await check("echo ${v}", { v: large }, `${large}\n`);
});

test("a large value is rejected as an argument or variable of a command", async () => {
  const large = "x".repeat(limits.exportedValueBytesMax + 1);
  for (const script of [
    "cat ${v}",
    "/bin/echo ${v}",
    "env printf %s ${v}",
    "curl -d ${v} https://x.test",
    "X=${v} /bin/echo",
    "export X=${v}",
    'x=${v}; cat "$x"',
  ])
    await check(script, { v: large }, "value-oversize");
  const fits = "x".repeat(limits.exportedValueBytesMax);
  await check("printf %s ${v} | wc -c", { v: fits }, `${fits.length}\n`);
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`v${n}`, fits]));
  await check(
    `/bin/echo ${Object.keys(nine)
      .map((name) => `\${${name}}`)
      .join(" ")}`,
    nine,
    "value-oversize",
  );
  await check(
    `printf %s ${Object.keys(nine)
      .map((name) => `\${${name}}`)
      .join("")} | wc -c`,
    nine,
    `${9 * fits.length}\n`,
  );
});

test("nul and encoding", async () => {
  await check("printf %s ${v}", { v: "a\0b" }, "value-nul");
  await check("printf %s ${v}", { v: "a\ud800b" }, "value-encoding");
  writeFileSync(files.path("latin1.out"), Buffer.from([0x41, 0xe9]));
  await check("printf %s ${v}", { v: { file: "latin1.out", bytes: 2 } }, "value-encoding");
});

test("integers", async () => {
  for (const v of ["0", "-3", "42"]) await check("echo $((${v} + 1))", { v }, `${Number(v) + 1}\n`);
  for (const v of ["", "08", "1+1", "a[$(id)]", "99999999999999999999"])
    await check("echo $((${v} + 1))", { v }, "value-not-integer");
  await check("n=${v}; echo $((n + 1))", { v: "a[$(id)]" }, "value-not-integer");
  await check("exit ${v}", { v: "a[$(id)]" }, "value-not-integer");
});

test("a leading dash at the start of an argument", async () => {
  for (const script of ["ls ${v}", 'ls "${v}x"', "rm -f '${v}'", 'f=${v}; ls "$f"'])
    await check(script, { v: "-la" }, "value-leading-dash");
  await check("ls ${v}${w}", { v: "", w: "-la" }, "value-leading-dash");
  await check("printf '%s' a | grep -c ${v}${w}", { v: "x", w: "-la" }, "0\n");
  await check("printf '%s\\n' ${v}", { v: "-la" }, "-la\n");
  await check("printf '%s\\n' a | grep -c -- ${v}", { v: "-la" }, "0\n");
  await check("printf '%s\\n' a | grep -c -e a${v}", { v: "-la" }, "0\n");
  await check("expr ${v} + 1", { v: "-5" }, "-4\n");
  await check("cat ${v|arg} /dev/null", { v: "-n" }, "");
  await check("echo ${v}", { v: "-n" }, "value-leading-dash");
  await check("echo ${v}", { v: "-x" }, "-x\n");
  await check("echo a ${v}", { v: "-n" }, "a -n\n");
});

test("a value in a JSON string must need no escaping", async () => {
  for (const script of [
    "printf '%s' '{\"q\":\"${v}\"}'",
    'printf \'%s\' "{\\"q\\":\\"a ${v}\\"}"',
    'cat <<EOF\n{"q":"${v}"}\nEOF\n',
  ])
    await check(script, { v: 'a","admin":"b' }, "value-json-string");
  await check("printf '%s' '{\"q\":\"${v}\"}'", { v: "a b é" }, '{"q":"a b é"}');
  await check("printf '%s' '{\"variables\": ${v}}'", { v: '{"a":"b"}' }, '{"variables": {"a":"b"}}');
  await check("printf '%s' '{\"q\":${v|json}}'", { v: 'a"b' }, '{"q":"a\\"b"}');
});

test("curlew http: files, headers, options, URLs", async () => {
  const refused = (script: string, v: string, code: string) => check(script, { v }, code);
  for (const option of ["-d ", "-d", "--data ", "--json=", "--json ", "-H ", "--graphql ", "--graphql="])
    await refused(`curlew http POST https://x.test ${option}\${v}`, "@/etc/passwd", "value-at-file");
  await refused("curlew http --graphql ${v} POST https://x.test", "@/etc/passwd", "value-at-file");
  await refused('curlew http GET https://x.test -H "X: ${v}"', "a\r\nEvil: b", "value-header");
  await refused("curlew http GET ${v}", "http://x.test/", "value-url");
  await refused('curlew http GET "https://x.test/${v}"', "a/../b c", "value-url");
  await refused('curlew http GET "${B}${v}"', ":8080/x", "value-url");
  await refused("curlew http ${v} https://x.test", "--output=/home/me/.bashrc", "value-leading-dash");
  await refused("curlew http GET https://x.test ${v}", "--output=f", "value-url");
  const shows = "curlew() { printf '<%s>' \"$@\"; }\n";
  await check(
    `${shows}curlew http GET https://x.test --query "q=\${v}" -d "\${v}"`,
    { v: "b&c=@d" },
    "<http><GET><https://x.test><--query><q=b&c=@d><-d><b&c=@d>",
  );
  await check(
    `${shows}curlew http GET "https://x.test/items/\${v}"`,
    { v: "urn:li:7" },
    "<http><GET><https://x.test/items/urn:li:7>",
  );
});

test("file names that perl and sox would run", async () => {
  for (const v of ["touch canary|", "a;touch canary | ", "|touch canary", " |x", ">canary", "+<a"])
    for (const script of [
      "perl -pe 's/a/b/' -- ${v}",
      "perl -i.bak -lane 'print' ./${v}",
      "perl -e 'while (<>) { print }' -- ${v}",
      'f=${v}; perl -ne print -- "$f"',
      "sox -- ${v} out.wav",
      "perl -e 'open(F, $ARGV[0]); print <F>' -- ${v}",
      "perl -we 'use strict; open my $f, shift or die; print <$f>' ${v}",
      "ruby -e 'puts open(ARGV[0]).read' -- ${v}",
    ])
      await check(script, { v }, "value-pipe");
  await check("perl -e 'print $ARGV[0]' -- ${v}", { v: "|a|" }, "|a|");
  await check("cat -- ${v} | perl -pe 1; perl -pe 1 -- ${v}", { v: "/dev/null" }, "");
});

test("curl: files, headers, URLs", async () => {
  const refused = (script: string, v: string, code: string) => check(script, { v }, code);
  for (const option of ["-d", "--data", "--data-binary", "--json", "-H", "-F x="])
    await refused(
      `curl https://x.test ${option}${option.endsWith("=") ? "" : " "}\${v}`,
      "@/etc/passwd",
      "value-at-file",
    );
  await refused("curl -d@${v|file} -b ${v} https://x.test", "cookies.txt", "value-at-file");
  await refused("curl --data-urlencode ${v} https://x.test", "a@/etc/passwd", "value-at-file");
  await refused('curl -H "X: ${v}" https://x.test', "a\r\nEvil: b", "value-header");
  await refused("curl -u me:${v} https://x.test", "a\nb", "value-header");
  for (const url of [
    "http://x.test/",
    "file:///etc/passwd",
    "x.test",
    "https://me@x.test/",
    "https://x.test/[1-9]",
    "https://x.test/{a,b}",
    "",
    "-o x",
  ])
    await refused("curl ${v}", url, "value-url");
  for (const part of ["a b", "a&b=c", "a#b", "a/b?x", "../x", "{a}"])
    await refused('curl "https://x.test/items/${v}"', part, "value-url");
  for (const part of ["a b", "a&b", "a/b", "é"]) await refused('curl "https://x.test/?q=${v}"', part, "value-url");
  await refused('curl "https://${v}.x.test/"', "evil.com/", "value-url");
  await refused('curl "${v}/items"', "http://x.test", "value-url");
});

test("curl: valid calls pass", async () => {
  const passes = async (script: string, v: string) =>
    expect((await prepare(script, { v })).given.ok, script).toBe(true);
  for (const url of [
    "https://x.test/a?b=c&d=%20#e",
    "http://127.0.0.1:8080/x",
    "http://localhost/x",
    "http://[::1]:80/",
  ])
    await passes("curl ${v}", url);
  for (const part of ["5", "owner/name", "a.b_c-d~e", "a%2Fb", "time:12:30", "a/b:c"])
    await passes('curl "https://x.test/items/${v}/x"', part);
  await passes('curl "https://x.test/?q=${v|uri}&n=1"', "a b&c");
  await passes('curl "${v}/items?page=2"', "http://127.0.0.1:9999");
  await passes('curl "https://${v}/x"', "api.x.test:8443");
  await passes("curl -d ${v} --data-raw ${v} https://x.test", '{"a": 1}');
  await passes("curl --data-raw ${v} --form-string a=${v} https://x.test", "@x");
  await passes("curl -b a=${v} -b s${v} https://x.test", "@x=1");
  await passes("curl -d -${v} https://x.test", "x");
  await passes("curl -d ${v} https://x.test", "-5 is a number");
});

test("no message contains the value", async () => {
  for (const script of [
    "ls ${v}",
    "echo $((${v}))",
    "curl ${v}",
    "curl -H ${v} https://x.test",
    "printf '%s' '{\"q\":\"${v}\"}'",
  ]) {
    const { given } = await prepare(script, { v: '-secret\r\n"' });
    expect(given.ok ? "passed" : JSON.stringify(given.error), script).not.toMatch(/secret|passed/);
  }
});
