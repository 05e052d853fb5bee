// A value in program text is rejected with an alternative that is safe for that very program (spec 4.1). Each
// alternative is here as a script, is accepted, and passes hostile values unchanged wherever the program is installed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guardValue, rewriteShell } from "../../src/shell/rewrite/index.ts";

/**
 * The program, the rejected script, a part of the message, and the alternative as a script; VALUE is in the
 * environment, as env.static sets it.
 */
const ways: [program: string, refused: string, says: string, safe: string][] = [
  [
    "python3",
    `python3 -c "print('\${v}')"`,
    "sys.argv[1]",
    "python3 -c 'import sys; sys.stdout.write(sys.argv[1])' ${v|arg}",
  ],
  [
    "python3",
    "python3 <<E\nprint('${v}')\nE",
    "python3 - ${v}",
    "python3 - ${v|arg} <<'E'\nimport sys; sys.stdout.write(sys.argv[1])\nE",
  ],
  [
    "node",
    `node -e "console.log('\${v}')"`,
    "process.argv[1]",
    "node -e 'process.stdout.write(process.argv[1])' -- ${v}",
  ],
  ["perl", `perl -e "print '\${v}'"`, "$ARGV[0]", "perl -e 'print $ARGV[0]' -- ${v}"],
  ["ruby", `ruby -e "puts '\${v}'"`, "ARGV[0]", "ruby -e 'print ARGV[0]' -- ${v}"],
  ["php", `php -r "echo '\${v}';"`, "$argv[1]", "php -r 'echo $argv[1];' -- ${v}"],
  ["lua", `lua -e "print('\${v}')"`, "os.getenv", `lua -e 'io.write(os.getenv("VALUE"))'; : \${v}`],
  ["jq", 'jq ".a == \\"${v}\\"" f', "--arg v ${v}", "jq -jn --arg v ${v|arg} '$v'"],
  ["yq", 'yq ".a == \\"${v}\\"" f', "strenv(VALUE)", ": ${v}; yq -n 'strenv(VALUE)'"],
  ["gh", 'gh api x --jq ".[] | ${v}"', "env.VALUE", ": ${v}; gh api x --jq '.[] | env.VALUE'"],
  ["awk", 'awk "/${v}/" f', 'ENVIRON["VALUE"]', `: \${v}; awk 'BEGIN { printf "%s", ENVIRON["VALUE"] }'`],
  ["awk", "awk -v x=${v} 'BEGIN { print x }'", "Not with -v", `: \${v}; awk 'BEGIN { printf "%s", ENVIRON["VALUE"] }'`],
  ["perl", 'sed "s/x/${v}/" f', "$ENV{VALUE}", ": ${v}; printf x | perl -pe 's/x/$ENV{VALUE}/'"],
  ["ssh", 'ssh host "ls ${v}"', "${v|sh}", 'ssh host "ls -- ${v|sh}"'],
  ["sh", 'sh -c "echo ${v}"', `"$1" …' sh \${v}`, "sh -c 'printf %s \"$1\"' sh ${v|arg}"],
  ["psql", `psql -c "select '\${v}'"`, "-v v=${v}", "psql -v v=${v} <<'E'\nselect :'v'\nE"],
  ["mysql", `mysql -e "select '\${v}'"`, "no parameters", ": ${v}"],
  [
    "sqlite3",
    `sqlite3 :memory: "select '\${v}'"`,
    "readfile",
    "printf %s ${v} > value.txt; sqlite3 :memory: \"select CAST(readfile('value.txt') AS TEXT)\" | head -c -1",
  ],
  ["duckdb", `duckdb -c "select '\${v}'"`, "getenv('VALUE')", `: \${v}; duckdb -c "select getenv('VALUE')"`],
  [
    "clickhouse-client",
    `clickhouse-client -q "select '\${v}'"`,
    "--param_v=${v}",
    "clickhouse-client --param_v=${v} -q 'select {v:String}'",
  ],
  [
    "mongosh",
    `mongosh --eval "db.x.find('\${v}')"`,
    "process.env.VALUE",
    ": ${v}; mongosh --eval 'print(process.env.VALUE)'",
  ],
  ["redis-cli", `redis-cli eval "return '\${v}'" 0`, "ARGV[1]", "redis-cli eval 'return ARGV[1]' 0 ${v}"],
  [
    "docker",
    'docker exec c sh -c "echo ${v}"',
    "-e VALUE",
    `: \${v}; docker exec -e VALUE c sh -c 'printf %s "$VALUE"'`,
  ],
  [
    "kubectl",
    'kubectl exec p -- sh -c "echo ${v}"',
    "exec -i pod",
    "printf %s ${v} | kubectl exec -i pod -- tee value.txt",
  ],
  [
    "find",
    'find . -exec sh -c "echo ${v}" \\;',
    '"$VALUE"',
    `: \${v}; find . -maxdepth 0 -exec sh -c 'printf %s "$VALUE"' sh {} \\;`,
  ],
  ["xargs", 'echo a | xargs sh -c "echo ${v}"', '"$VALUE"', `: \${v}; echo a | xargs sh -c 'printf %s "$VALUE"' sh`],
  ["make", "make X=${v}", '"$$VALUE"', `: \${v}; printf 'x:\\n\\t@printf %%s "$$VALUE"\\n' | make -f -`],
  [
    "bq",
    `bq query "select '\${v}'"`,
    "--parameter=v::${v}",
    "bq query --use_legacy_sql=false --parameter=v::${v} 'select @v'",
  ],
  ["aws", `aws ec2 x --query "a[?b=='\${v}']"`, "jq --arg v ${v}", "echo '{}' | jq -j --arg v ${v|arg} '$v'"],
  [
    "gh",
    `gh api graphql -f query="{ a(b: \\"\${v}\\") }"`,
    "-f v=${v}",
    "gh api graphql -f v=${v} -f query='{ a(b: $v) }'",
  ],
  [
    "kubectl",
    `kubectl get pods -o jsonpath="{.items[?(@.a=='\${v}')]}"`,
    "kubectl get … -o json | jq",
    "kubectl get pods -o json | jq --arg v ${v|arg} '$v'",
  ],
  [
    "xmllint",
    `xmllint --xpath "//a[.='\${v}']" f.xml`,
    "lxml",
    `: \${v}; python3 -c 'import os; print(os.environ["VALUE"], end="")'`,
  ],
  ["R", `R -e "print('\${v}')"`, "Sys.getenv", `: \${v}; R -s -e 'cat(Sys.getenv("VALUE"))'`],
  ["sqlcmd", `sqlcmd -Q "select '\${v}'"`, "env: { static:", ": ${v}"],
  ["cqlsh", `cqlsh -e "select '\${v}'"`, "env: { static:", ": ${v}"],
];
const hostile = [
  "'; touch canary; '",
  '"); system("touch canary"); ("',
  "$(touch canary)",
  "\\x41\\n${7*7}",
  "a\nb  c",
  "-e 1",
];
/** They need a server, or another machine; yq is two programs. */
const FAR = /^(?:gh|yq|ssh|psql|mysql|clickhouse-client|mongosh|redis-cli|docker|kubectl|sqlcmd|cqlsh|bq)$/;

describe.each(ways)("%s: %s", (program, refused, says, safe) => {
  test("is refused with that way", async () => {
    const answer = await rewriteShell(refused, "bash", (root) => root === "v");
    expect(answer.ok).toBe(false);
    if (answer.ok) return;
    expect(answer.error.map(({ code }) => code)).toContain("template-program-text");
    expect(answer.error.map(({ help }) => help).join("\n")).toContain(says);
  });

  test("the way brings values through", async () => {
    const answer = await rewriteShell(safe, "bash", (root) => root === "v");
    expect(answer.ok ? [] : answer.error).toEqual([]);
    const isThere = spawnSync("bash", ["-c", `command -v ${program}`]).status === 0;
    if (!answer.ok || !isThere || FAR.test(program) || safe === ": ${v}") return;
    const uses = answer.value.variables.flatMap((one) => one.uses);
    for (const value of hostile) {
      if (uses.some((use) => guardValue("${v}", use, value, () => false) !== undefined)) continue;
      const folder = mkdtempSync(join(tmpdir(), "curlew-ways-"));
      const env = { PATH: process.env.PATH, HOME: folder, VALUE: value };
      const names = Object.fromEntries(answer.value.variables.map(({ variable }) => [variable, value]));
      const ran = spawnSync("bash", ["-c", answer.value.script], {
        cwd: folder,
        env: { ...env, ...names },
        encoding: "utf8",
      });
      const canary = readdirSync(folder).includes("canary");
      rmSync(folder, { recursive: true, force: true });
      expect({ out: ran.stdout, canary }, ran.stderr).toEqual({ out: value, canary: false });
    }
  });
});
