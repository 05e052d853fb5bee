// pwsh.test: PowerShell is not available in the tests, so the rewritten script is compared byte by byte.

import { describe, expect, test } from "vitest";
import { rewritePwsh } from "./pwsh.ts";

function check(script: string): string {
  const answer = rewritePwsh(script, (root) => ["v", "w", "1"].includes(root));
  return answer.ok ? answer.value.script : `refused: ${answer.error[0]?.message}`;
}

describe("positions for one plain value", () => {
  test.each([
    ["Write-Output ${v}", "Write-Output ${env:CURLEW_V_v}"],
    ['Write-Output "a ${v} b"', 'Write-Output "a ${env:CURLEW_V_v} b"'],
    ['Write-Output "${v}${w|uri}"', 'Write-Output "${env:CURLEW_V_v}${env:CURLEW_V_w__uri}"'],
    ["$x = ${v}\nWrite-Output $x", "$x = ${env:CURLEW_V_v}\nWrite-Output $x"],
    ['if ("${v}" -eq "a") { Write-Output yes }', 'if ("${env:CURLEW_V_v}" -eq "a") { Write-Output yes }'],
    ['@"\nhello ${v} "x"\n"@ | Write-Output', '@"\nhello ${env:CURLEW_V_v} "x"\n"@ | Write-Output'],
    ['Write-Output "$(Get-Item ${v})"', 'Write-Output "$(Get-Item ${env:CURLEW_V_v})"'],
    ["Write-Output ${1.id} # about ${v}", "Write-Output ${env:CURLEW_V_1__id} # about ${v}"],
    ['Write-Output "`${v} ${other} $env:X ${v}"', 'Write-Output "`${v} ${other} $env:X ${env:CURLEW_V_v}"'],
    ["Write-Output ${v}\r\nWrite-Output 'x'\r\n", "Write-Output ${env:CURLEW_V_v}\r\nWrite-Output 'x'\r\n"],
    ['curl.exe -fsS "https://x/${v|uri}"', 'curl.exe -fsS "https://x/${env:CURLEW_V_v__uri}"'],
    ["iex 'not a reference: ${other}'", "iex 'not a reference: ${other}'"],
  ])("%s", (script, expected) => expect(check(script)).toBe(expected));
});

describe("refused", () => {
  test.each([
    "Write-Output '${v}'",
    "@'\n${v}\n'@",
    "Invoke-Expression ${v}",
    'iex "${v}"',
    "$x = ${v}; iex $x",
    "& ${v} a",
    '& "${v}"',
    '& "C:/tools/${v}.exe"',
    ". ${v}",
    '& ("a" + ${v})',
    "'a' -replace ('x' + ${v}), 'b'",
    "('{0}' + ${v}) -f 1",
    "$x = & ${v}",
    "$x = ${v}; & $x",
    "$x = ${v}\n. $x",
    "$x = ${v}\ncurl.exe -d $x https://x",
    "Invoke-WebRequest ${v}",
    "$r = Invoke-RestMethod -Uri ${v}",
    "pwsh -Command ${v}",
    'pwsh -c "Write-Output ${v}"',
    "powershell.exe -EncodedCommand ${v}",
    "cmd /c ${v}",
    "bash -c ${v}",
    '"{0}" -f ${v}',
    "${v} -f 1",
    "'a' -replace 'a', ${v}",
    "'a' -match ${v}",
    "Add-Type -TypeDefinition ${v}",
    "Start-Process ${v}",
    "Start-Process x -ArgumentList ${v}",
    "[scriptblock]::Create(${v})",
    "[System.IO.File]::ReadAllText(${v})",
    "$x.Invoke(${v})",
    "$ExecutionContext.InvokeCommand.ExpandString(${v})",
    "Set-Alias ls ${v}",
    "${v} = 1",
    "Write-Output a${v}b",
    "git --x=${v}",
    "git --% ${v}",
    "curl.exe -d ${v} https://x",
    "Write-Output \u2018${v}\u2019",
    'Write-Output \u201c${v}\u201d "',
    'Write-Output "${v}',
    "Write-Output (${v}",
    "Write-Output ${v|sh}",
    "Write-Output ${v|nope}",
  ])("%s", (script) => {
    for (const form of ["${v}", "${1.id}"]) expect(check(script.replaceAll("${v}", () => form))).toMatch(/^refused: /);
  });
});

test("a value is never an option of a program, and a value that is too large is an error", () => {
  const answer = rewritePwsh("git log ${v}; Write-Output ${v}", (root) => root === "v");
  expect(
    answer.ok &&
      answer.value.variables.map(({ variable, uses }) => [
        variable,
        uses.map(({ guards, leavesShell }) => [guards.map(({ kind }) => kind), leavesShell]),
      ]),
  ).toEqual([
    [
      "CURLEW_V_v",
      [
        [["leading-dash"], true],
        [[], true],
      ],
    ],
  ]);
});
