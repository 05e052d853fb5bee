// Scripts with references and their result in every shell: the code of the error, `a number`, or `passes` (spec 4.1).
// In refusals.txt the safe alternative is beside each error. In one-step.txt a variable that the script assigns from a
// reference counts as that reference. `== …` begins a section, and `-- … in shells` begins a group of scripts. The sign
// ⏎ is a newline.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Dialect, refuseInCmd, rewriteShell } from "../../src/shell/rewrite/index.ts";

const known = new Set(["v", "w", "n", "name", "TOKEN", "1", "2", "i"]);

async function verdict(script: string, dialect: Dialect, names: Set<string>): Promise<string> {
  const isName = (root: string) => names.has(root);
  const answer = await rewriteShell(script, dialect, isName, (name) => name === "TOKEN");
  if (!answer.ok) return [...new Set(answer.error.map(({ code }) => code))].join(", ");
  const uses = answer.value.variables.flatMap((variable) => variable.uses);
  return uses.some(({ guards }) => guards.some(({ kind }) => kind === "int")) ? "a number" : "passes";
}

describe.each([
  ["refusals.txt", known],
  ["one-step.txt", new Set(["v"])],
])("%s", (file, names) => {
  const sections = readFileSync(join(import.meta.dirname, file), "utf8")
    .trimEnd()
    .split(/^== /m)
    .slice(1);
  test.each(sections.map((section) => [section.split("\n", 1)[0]!, section]))("%s", async (_, section) => {
    const wrong: string[] = [];
    for (const group of section.split("\n-- ").slice(1)) {
      const [title = "", ...scripts] = group.trimEnd().split("\n");
      const [wanted, shells = "bash, sh, zsh"] = title.split(" in ");
      for (const script of scripts)
        for (const shell of shells.split(", ") as Dialect[]) {
          const seen = await verdict(script.replaceAll("⏎", "\n"), shell, names);
          if (seen !== wanted) wrong.push(`${shell}: ${script}   is ${seen}, not ${wanted}`);
        }
    }
    expect(wrong).toEqual([]);
  });
});

describe("a variable of env.static that a reference fills counts as that reference", () => {
  const runs = async (script: string, dialect: Dialect) => {
    const answer = await rewriteShell(
      script,
      dialect,
      () => false,
      (name) => name === "X",
      ["X"],
    );
    return answer.ok ? "passes" : answer.error.map(({ code }) => code).join(", ");
  };
  test.each([
    ['eval "$X"', "template-evaluated"],
    ["eval $X", "template-evaluated"],
    ['sh -c "$X"', "template-program-text"],
    ['ssh host "$X"', "template-program-text"],
    ["trap '$X' EXIT", "template-command-name"],
    ['printf %s "$X"', "passes"],
    ["sh -c 'printf %s \"$X\"'", "passes"],
    ['case "$X" in a) ;; esac', "passes"],
  ])("%s", async (script, expected) => {
    for (const dialect of ["bash", "sh", "zsh"] as const)
      expect(`${dialect}: ${await runs(script, dialect)}`).toBe(`${dialect}: ${expected}`);
  });
});

test("cmd: rejected, with the alternative that works", () => {
  const problems = refuseInCmd('echo "${v}" ${other} %X%', (root) => known.has(root), []);
  expect(problems).toEqual([
    {
      code: "template-shell-unsupported",
      start: 6,
      end: 10,
      message: "${v}: values cannot be placed in the text of cmd scripts.",
      help: 'Pass it with env: { static: { VALUE: "${v}" } } and write !VALUE! after "setlocal EnableDelayedExpansion" (never %VALUE%), or on stdin.',
    },
  ]);
});

test("cmd: a variable with a value is read late, where its text is not read again", () => {
  const refused = (script: string) =>
    refuseInCmd(script, () => false, ["VALUE", "INPUT_1"]).map(({ start, end }) => script.slice(start, end));
  const late = "setlocal EnableDelayedExpansion\r\n";
  for (const script of [
    "echo %PATH% %VALUES% 100% VALUE%",
    `${late}echo !VALUE! "!value:~0,3!"`,
    `${late}call other.cmd\r\necho !VALUE!`,
    `${late}for /f "delims=" %%a in ('dir /b') do echo !VALUE! %%a`,
    `${late}echo recall !VALUE!`,
  ])
    expect([script, refused(script)]).toEqual([script, []]);
  for (const [script, spot] of [
    ["echo %VALUE%", "%VALUE%"],
    ['set "x=%value:~0,3%"', "%value:~0,3%"],
    ['type f | find "%INPUT_1%"', "%INPUT_1%"],
    [`${late}call echo !VALUE!`, "!VALUE!"],
    [`${late}if 1==1 (call echo ^\r\n !VALUE!)`, "!VALUE!"],
    [`${late}cmd /d /c echo !VALUE!`, "!VALUE!"],
    [`${late}start "" /b echo !Value!`, "!Value!"],
    [`${late}for /f "delims=" %%a in ('echo !VALUE!') do echo %%a`, "!VALUE!"],
  ] as const)
    expect([script, refused(script)]).toEqual([script, [spot]]);
});

test("offsets are the author's, also with CRLF", async () => {
  const script = "show a\r\nshow ${w}\r\neval ${v}\r\n";
  const answer = await rewriteShell(script, "bash", (root) => known.has(root));
  expect(answer.ok ? [] : answer.error.map(({ start, end }) => script.slice(start, end))).toEqual(["${v}"]);
});

test("line numbers stay, names stay apart, unknown names are listed", async () => {
  const answer = await rewriteShell(
    "# ${v}\nshow ${1.a-b[0]} ${1.a_b[0]} ${1|json} ${HOME} ${own}\nown=x\n",
    "bash",
    (root) => root === "1" || root === "v",
  );
  expect(answer.ok && answer.value).toMatchObject({
    script:
      '# ${v}\nshow "${CURLEW_V_1__a_b_0}" "${CURLEW_V_1__a_b_0_2}" "${CURLEW_V_1__json}" ${HOME} ${own}\nown=x\n',
    unknown: [{ name: "HOME" }],
  });
});
