// Where a value goes after the script has put it into a variable of its own: followed to its end, and not further than it goes.

import { describe, expect, test } from "vitest";
import { type Dialect, rewriteShell } from "../../src/workflow/shell-template.ts";

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

describe("through further variables and functions", () => {
  check('x=${v}; y=$x; z="a $y"; eval "$z"', "template-evaluated");
  check('f() { g "$1"; }; g() { local q=$1; eval "$q"; }; f ${v}', "template-evaluated");
  check('f() { for x; do eval "$x"; done; }; f ${v}', "template-evaluated");
  check("f() { r=$1; }; f ${v}; $r", "template-command-name");
  check('x=${v}; : "${y:=$x}"; eval "$y"', "template-evaluated");
  check('x=${v}; y=x; eval "${!y}"', "template-evaluated", ["bash"]);
  check('x=${v}; declare -n r=x; eval "$r"', "template-evaluated", ["bash"]);
  check(': ${v}; eval "$_"', "template-evaluated");
  check('x=${v}; y=$x; cat > "$y"', "template-redirect-target");
  check('f() { printf %s "$1"; }; f ${v}', "passes");
});

describe("through what reads", () => {
  check('printf %s ${v} | while read -r x; do eval "$x"; done', "template-evaluated");
  check('while read -r x; do eval "$x"; done <<< ${v}', "template-evaluated", bashy);
  check('while read -r x; do eval "$x"; done < <(printf %s ${v})', "template-evaluated", bashy);
  check('read -r <<< ${v}; eval "$REPLY"', "template-evaluated", bashy);
  check('while read -r x; do printf %s "$x"; done < <(printf %s ${v})', "passes", bashy);
  check("sh < <(printf %s ${v})", "template-program-text", bashy);
  check("printf %s ${v} > >(sh)", "template-program-text", bashy);
  check("coproc sh; printf %s ${v} >&${COPROC[1]}", "template-program-text", ["bash"]);
  check("printf %s ${v} > x.sh; sh ./x.sh", "template-program-text");
  check("cat > x.py <<EOF\n${v}\nEOF\npython3 x.py", "template-program-text");
  check("printf %s ${v} > body.json; curl -d @body.json https://x", "passes");
});

describe("through commands: what only copies is the value, what is made of it is not", () => {
  check('x=$(printf %s ${v}); eval "$x"', "template-evaluated");
  check("n=$(printf %s ${v}); echo $((n + 1))", "a number", ["bash"]);
  check('x=$(curl https://x/${v|uri}); eval "$x"', "template-evaluated");
  check('f=$(mktemp "/tmp/x.XXX"); printf %s ${v} > "$f"', "passes");
  check('d=$(dirname "./${v}"); cat > "$d/x"', "passes");
  check("n=$(curl https://x/${v|uri} | jq length); printf %s $((n + 1))", "passes");
});

describe("names without a dollar sign", () => {
  check("x=${v}; [[ x -eq 1 ]]", "a number", bashy);
  check("x=${v}; let y=x", "template-evaluated", bashy);
  check('x=${v}; printf %s "${a[x]}"', "a number", bashy);
  check("x=${v}; a[x]=1", "template-subscript", bashy);
  check("x=${v}; a=([x]=1)", "template-subscript", bashy);
  check("x=${v}; [ x -eq 1 ]", "a number", ["zsh"]);
  check("declare -i n; n=${v}", "a number", bashy);
  check("declare -i n; x=${v}; n=x", "a number", bashy);
  check("f() { local -i n=5; n+=${v}; }; f", "a number", bashy);
});

describe("variables that are the shell's own", () => {
  check("RANDOM=${v}", "template-dangerous-variable");
  check("for PATH in ${v}; do ls; done", "template-dangerous-variable");
  check("x=${v}; PATH=$x:/bin", "template-dangerous-variable");
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

describe("commands that the script names by a variable", () => {
  check("e=eval; $e ${v}", "template-evaluated");
  check('PY="python3 -c"; $PY ${v}', "template-program-text");
  check('run=(sh -c); "${run[@]}" ${v}', "template-program-text", bashy);
  check('"$HOME/bin/python3" -c ${v}', "template-program-text");
  check("$(which sh) -c ${v}", "template-program-text");
  check("alias e=eval; e ${v}", "template-evaluated");
  check("CURL='curl -fsS'; $CURL -d ${v} https://x", "passes");
  check('"$HOME/bin/tool" -- ${v}', "passes");
});

describe("into a text that is a script of its own", () => {
  check("bash -c 'eval \"$1\"' x ${v}", "template-evaluated");
  check("x=${v}; sh -c '$1' sh \"$x\"", "template-command-name");
  check("env y=${v} sh -c 'eval \"$y\"'", "template-evaluated");
  check("x=${v}; `$x`", "template-command-name");
  check("x=${v}; eval 'eval \"$x\"'", "template-evaluated");
  check("X=${v}; trap '$X' EXIT", "template-command-name");
  check("export X=${v}\nsh <<'E'\neval \"$X\"\nE", "template-evaluated");
  check("export X=${v}; find . -exec sh -c '$X' \\;", "template-command-name");
  check('bash -c \'bash -c "eval \\"\\$1\\"" x "$1"\' x ${v}', "template-evaluated");
  check("export n=${v}; bash -c 'echo $((n + 1))'", "a number");
  check("export X=${v}; sh -c 'if [ \"$X\"'", "template-script-unreadable");
  // What is data there is data here.
  check("sh -c 'grep -F -- \"$1\" file' sh ${v}", "passes");
  check('sh -c \'printf "%s\\n" "$@"\' sh a ${v}', "passes");
  check("env y=${v} sh -c 'printf %s \"$y\"'", "passes");
  check('x=${v}; y=`printf %s "$x"`; printf %s "$y"', "passes");
  check("find . -name '*.json' -exec sh -c 'jq . \"$1\" > \"$1.new\"' sh {} \\; ; printf %s ${v}", "passes");
  check('trap \'rm -f "$tmp"\' EXIT; tmp=$(mktemp); printf %s ${v} > "$tmp"', "passes");
});

describe("into a file that is run", () => {
  check('x=${v}; printf %s "$x" > f; sh f', "template-program-text");
  check("printf %s ${v} | tee -a f; sh < f", "template-program-text");
  check("printf %s ${v} > f; cat f | sh", "template-program-text");
  check("printf %s ${v} > in.txt; chmod 600 in.txt; python3 tool.py in.txt", "passes");
  check("printf %s ${v} > in.txt; python3 tool.py < in.txt", "passes");
});

describe("by a name that only looks like a text", () => {
  check("x=${v}; y=x; (( y ))", "a number", bashy);
  check("x=${v}; e='x + 1'; echo $((e))", "a number");
  check('x=${v}; h=x; [[ "${!h}" -eq 1 ]]', "a number", ["bash"]);
  check('x=${v}; h=x; printf %s "${!h}"', "passes", ["bash"]);
  check('x=${v}; y=x; printf %s "$y"', "passes");
});

describe("to a program that the environment names", () => {
  check("$SHELL -c ${v}", "template-program-text");
  check('"${PYTHON:-python3}" -c "${v}"', "template-program-text");
  check("$CURL -d ${v} https://example.com/", "passes");
});

describe("through files that the script writes and reads back", () => {
  check('printf %s ${v} > f; x=$(cat ./f); sh -c "$x"', "template-program-text");
  check('printf %s ${v} > "$t"; read -r n < "$t"; printf \'%s\\n\' $((n))', "a number");
  check('printf %s ${v} > f; x=$(cat f); echo "$x"', "passes");
  check("printf %s ${v} > f; n=$(wc -l < f); printf '%s\\n' $((n + 1))", "passes");
  check("printf %s ${v} > f; n=$(cat g); printf '%s\\n' $((n + 1))", "passes");
});
