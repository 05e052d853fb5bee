// A variable that the script assigns from a reference counts as that reference where the variable is used, and not further.

import { describe, expect, test } from "vitest";
import { type Dialect, rewriteShell } from "../../src/shell/rewrite/index.ts";

async function verdict(script: string, dialect: Dialect): Promise<string> {
  const answer = await rewriteShell(script, dialect, (root) => root === "v");
  if (!answer.ok) return [...new Set(answer.error.map(({ code }) => code))].join(", ");
  const guards = answer.value.variables.flatMap(({ uses }) =>
    uses.flatMap((use) => use.guards.map(({ kind }) => kind)),
  );
  return guards.includes("int") ? "a number" : "passes";
}

/** In bash, dash and zsh alike, unless `dialects` says where. */
function check(script: string, expected: string, dialects: readonly Dialect[] = ["bash", "sh", "zsh"]): void {
  test(`${expected}: ${script.replaceAll("\n", "⏎")}`, async () => {
    for (const dialect of dialects)
      expect(`${dialect}: ${await verdict(script, dialect)}`).toBe(`${dialect}: ${expected}`);
  });
}
const bashy: readonly Dialect[] = ["bash", "zsh"];

describe("ways to assign a reference", () => {
  check('x=${v}; eval "$x"', "template-evaluated");
  check('x="a ${v}"; eval "$x"', "template-evaluated");
  check('x+=${v}; eval "$x"', "template-evaluated", bashy);
  check('a=(1 ${v}); eval "${a[1]}"', "template-evaluated", bashy);
  check('for x in a ${v}; do eval "$x"; done', "template-evaluated");
  check('read -r x <<< ${v}; eval "$x"', "template-evaluated", bashy);
  check('read -r <<< ${v}; eval "$REPLY"', "template-evaluated", bashy);
  check('read -r x <<E\n${v}\nE\neval "$x"', "template-evaluated");
  check('while read -r x; do eval "$x"; done <<< ${v}', "template-evaluated", bashy);
  check('while read -r x; do eval "$x"; done <<E\n${v}\nE', "template-evaluated");
  check('mapfile -t x <<< ${v}; eval "${x[0]}"', "template-evaluated", bashy);
  check('set -- a ${v}; eval "$2"', "template-evaluated");
  check('f() { eval "$x"; }; x=${v}; f', "template-evaluated");
  check('eval "$x"; x=${v}', "template-evaluated");
});

describe("places where the variable is evaluated", () => {
  check('x=${v}; sh -c "$x"', "template-program-text");
  check('x=${v}; ssh host "ls $x"', "template-program-text");
  check('x=${v}; printf %s "$x" | sh', "template-program-text");
  check("x=${v}; bash <<E\n$x\nE", "template-program-text");
  check('x=${v}; source "$x"', "template-evaluated");
  check('x=${v}; trap "$x" EXIT', "template-evaluated");
  check("x=${v}; $x y", "template-command-name");
  check('x=${v}; cat > "$x"', "template-redirect-target");
  check("x=${v}; PATH=$x:/bin", "template-dangerous-variable");
  check("x=${v}; let y=x", "template-evaluated", bashy);
  check("x=${v}; a[x]=1", "template-subscript", bashy);
  check("x=${v}; a=([x]=1)", "template-subscript", bashy);
});

describe("texts that a shell of the script reads", () => {
  check("X=${v}; trap '$X' EXIT", "template-command-name");
  check("x=${v}; eval 'eval \"$x\"'", "template-evaluated");
  check("export y=${v}; sh -c 'eval \"$y\"'", "template-evaluated");
  check("export n=${v}; bash -c 'echo $((n + 1))'", "a number");
  check("x=${v}; `$x`", "template-command-name");
  check("x=${v}; y=`printf %s $((x + 1))`", "a number");
  check("trap 'rm -f \"$x\"' EXIT; x=${v}", "passes");
  check("env y=${v} sh -c 'printf %s \"$y\"'", "passes");
  check('x=${v}; y=`printf %s "$x"`; printf %s "$y"', "passes");
  check("sh -c 'grep -F -- \"$1\" file' sh ${v}", "passes");
});

describe("numbers", () => {
  check("x=${v}; echo $((x + 1)) $(($x + 1)) $((${x}))", "a number");
  check("x=${v}; (( $x > 3 ))", "a number", bashy);
  check("x=${v}; [[ x -eq 1 ]]", "a number", bashy);
  check('x=${v}; printf %s "${a[x]}" "${a[$x]}"', "a number", bashy);
  check("x=${v}; [ x -eq 1 ]", "a number", ["zsh"]);
  check('x=${v}; echo "$a[x]"', "a number", ["zsh"]);
  check('x=${v}; printf %d "$x"', "a number", ["zsh"]);
  check("set -- ${v}; echo $(($1 + 1))", "a number");
  check("declare -i n; n=${v}", "a number", bashy);
  check("n=${v}; declare -i m=n", "a number", bashy);
  check("f() { local -i n=5; n+=${v}; }; f", "a number", bashy);
  check("declare -i n; read -r n <<< ${v}", "a number", bashy);
  check("x=${v}; echo $((${#x} + 1))", "passes");
  check("x=${v}; echo $((${x//[^0-9]/} + 1))", "passes", bashy);
  check("n=$(curl https://x/${v|uri} | jq length); printf %s $((n + 1))", "passes");
  check('x=${v}; declare -A m; printf %s "${m[$x]}"', "passes", bashy);
});

describe("variables that are the shell's own", () => {
  check("RANDOM=${v}", "template-dangerous-variable");
  check("for PATH in ${v}; do ls; done", "template-dangerous-variable");
  check("read -r PATH <<< ${v}", "template-dangerous-variable", bashy);
  check("BASH_CMDS[ls]=${v}; ls", "template-dangerous-variable", ["bash"]);
  check("functions[ls]=${v}; ls", "template-dangerous-variable", ["zsh"]);
  check("path=(${v})", "template-dangerous-variable", ["zsh"]);
  check("path=${v}; printf %s $path", "passes", ["bash", "sh"]);
  check("env 'BASH_FUNC_ls%%='${v} bash x", "template-dangerous-variable");
});

describe("expansions that evaluate", () => {
  check('x=${v}; printf %s "${!x}"', "template-evaluated", ["bash"]);
  check('x=${v}; printf %s "${x@P}"', "template-evaluated", ["bash"]);
  check('x=${v}; printf %s "${(e)x}"', "template-evaluated", ["zsh"]);
  check("x=${v}; ls $~x", "template-evaluated", ["zsh"]);
  check('x=${v}; printf %s "${x:-none}" "${x#a}" "${#x}"', "passes");
  check('x=${v}; printf %s "${(U)x}"', "passes", ["zsh"]);
});

describe("commands that the script itself names by a variable", () => {
  check("e=eval; $e ${v}", "template-evaluated");
  check('PY="python3 -c"; $PY ${v}', "template-program-text");
  check('run=(sh -c); "${run[@]}" ${v}', "template-program-text", bashy);
  check('"$HOME/bin/python3" -c ${v}', "template-program-text");
  check("$(which sh) -c ${v}", "template-program-text");
  check("alias e=eval; e ${v}", "template-evaluated");
  check("$SHELL -c ${v}", "template-program-text");
  check('"${PYTHON:-python3}" -c "${v}"', "template-program-text");
  check("CURL='curl -fsS'; $CURL -d ${v} https://x", "passes");
  check('"$HOME/bin/tool" -- ${v}', "passes");
});

describe("read by an interpreter where it is printed", () => {
  check("sh < <(printf %s ${v})", "template-program-text", bashy);
  check("printf %s ${v} > >(sh)", "template-program-text", bashy);
  check("mapfile -C eval -c 1 a <<< ${v}", "template-program-text", bashy);
  check("printf %s ${v} > body.json; curl -d @body.json https://x", "passes");
});

describe("not followed: the author's own program", () => {
  check('f() { eval "$1"; }; f ${v}', "passes");
  check('x=${v}; y=$x; eval "$y"', "passes");
  check('x=$(printf %s ${v}); eval "$x"', "passes");
  check('printf %s ${v} | while read -r x; do eval "$x"; done', "passes");
  check("printf %s ${v} > f; sh f", "passes");
  check('exec 3<<< ${v}; read -r n <&3; eval "$n"', "passes", bashy);
});

describe("ordinary scripts pass", () => {
  check('f() { printf %s "$1"; }; f ${v}', "passes");
  check('f=$(mktemp "/tmp/x.XXX"); printf %s ${v} > "$f"', "passes");
  check('trap \'rm -f "$tmp"\' EXIT; tmp=$(mktemp); printf %s ${v} > "$tmp"', "passes");
  check("exec 2>&1; printf '%s\\n' ${v}; n=$(ls | wc -l); echo $((n))", "passes");
  check("cd \"$HOME\"; printf '%s' ${v} > notes.txt; node scripts/build.js notes.txt", "passes");
  check("mkdir -p out; printf '%s' ${v} > out/data.json; cd out; for f in *.json; do jq . \"$f\"; done", "passes");
  check("printf '%s' ${v} > q.json; python3 -c 'import json; print(json.load(open(\"q.json\")))'", "passes");
  check("while read -r line; do printf '%s\\n' \"$line\"; done < list.txt; printf '%s' ${v}", "passes");
  check("git log --since ${v} > log.txt; n=$(grep -c fix log.txt); echo $((n * 2))", "passes");
  check('name=${v}; echo "hello name"; n=$(echo 3); echo $((n + 1))', "passes");
  check("find . -name '*.json' -exec sh -c 'jq . \"$1\" > \"$1.new\"' sh {} \\; ; printf %s ${v}", "passes");
  check("printf '%s' ${v} | tee out.txt | wc -c; x=$(stat -c %s out.txt); echo $((x / 2))", "passes");
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
