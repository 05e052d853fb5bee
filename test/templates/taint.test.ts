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

describe("through descriptors", () => {
  check("printf '%s\\n' ${v} > f; exec 3< f; read -r n <&3; printf '%s\\n' $((n))", "a number");
  check("exec 4<> f; printf '%s\\n' ${v} >&4; read -r n < f; printf '%s\\n' $((n))", "a number");
  check("printf '%s\\n' ${v} > f; exec 3< f; sh <&3", "template-program-text");
  check('exec 3<<< ${v}; read -r n <&3; eval "$n"', "template-evaluated", bashy);
  check(
    "coproc C { cat; }; printf '%s\\n' ${v} >&${C[1]}; read -r n <&${C[0]}; eval \"$n\"",
    "template-evaluated",
    bashy,
  );
  // Another descriptor, another text.
  check("exec 3> log; printf '%s\\n' ${v} >&3; exec 4< numbers; read -r n <&4; printf '%s\\n' $((n))", "passes");
  check("exec 3> log; printf '%s\\n' ${v} >&3; exec 3< log; read -r n <&3; printf '%s\\n' \"$n\"", "passes");
});

describe("through files by their other names, and files that something runs by itself", () => {
  check('d=$(mktemp -d); printf %s ${v} > "$d/f"; cd "$d"; sh f', "template-program-text");
  check("d=x; printf %s ${v} > $d/f; cd x; n=$(cat f); printf '%s\\n' $((n))", "a number");
  check("mkdir d; printf %s ${v} > f; cp f d; . d/f", "template-program-text");
  check("printf %s ${v} > f; export BASH_ENV=f; bash -c :", "template-program-text");
  check("printf %s ${v} >> ~/.bashrc", "template-program-text");
  check("printf %s ${v} > Makefile; make all", "template-program-text");
  check("printf %s ${v} > f; sed -nff aa", "template-program-text");
  check("x=${v}; n=$(printf x); printf '%s\\n' $((n))", "a number");
});

describe("ordinary scripts with files pass", () => {
  check(
    "printf '%s' ${v} > body.json; exec 3> log; echo start >&3; curl -d @body.json https://example.com/ >&3; n=$(wc -l < log); echo $((n + 1))",
    "passes",
  );
  check("exec 2>&1; printf '%s\\n' ${v}; n=$(ls | wc -l); echo $((n))", "passes");
  check(
    "exec 9> lock; flock 9; printf '%s\\n' ${v} > out; count=$(cat counter); echo $((count + 1)) > counter",
    "passes",
  );
  check(
    'd=$(mktemp -d); trap \'rm -rf "$d"\' EXIT; printf \'%s\' ${v} > "$d/in.txt"; python3 tool.py "$d/in.txt" > "$d/out.txt"; cat "$d/out.txt"',
    "passes",
  );
  check("cd \"$HOME\"; printf '%s' ${v} > notes.txt; node scripts/build.js notes.txt", "passes");
  check("mkdir -p out; printf '%s' ${v} > out/data.json; cd out; for f in *.json; do jq . \"$f\"; done", "passes");
  check("printf '%s' ${v} > data.txt; for s in scripts/*.sh; do sh \"$s\"; done", "passes");
  check("printf '%s' ${v} > data.txt; make build", "passes");
  check("printf '%s' ${v} > q.json; python3 -c 'import json; print(json.load(open(\"q.json\")))'", "passes");
  check("export ENV=production; printf '%s' ${v} > x.txt; sh ./deploy.sh x.txt", "passes");
  check("while read -r line; do printf '%s\\n' \"$line\"; done < list.txt; printf '%s' ${v}", "passes");
  check("while IFS= read -r -u 3 line; do echo \"$line\"; done 3< list.txt; printf '%s' ${v} >> out.txt", "passes");
  check(
    "total=0; while read -r n; do total=$((total + n)); done < numbers.txt; printf '%s %s\\n' ${v} \"$total\" > report.txt",
    "passes",
  );
  check(
    "printf '%s\\n' ${v} > a.txt; sort a.txt | uniq -c | sort -rn > counts.txt; n=$(wc -l < counts.txt); [ \"$n\" -gt 3 ] && echo many",
    "passes",
  );
  check("git log --since ${v} > log.txt; n=$(grep -c fix log.txt); echo $((n * 2))", "passes");
  check("printf '%s' ${v} > f.txt; find . -name '*.sh' -exec sh {} \\;", "passes");
  check('printf \'%s\' ${v} > "$OUT/version"; cp "$OUT/version" backup/; tar czf b.tgz backup', "passes");
  check("printf '%s\\n' ${v} >&2; echo ok >&1", "passes");
  check("printf '%s' ${v} > msg.txt; git commit -F msg.txt; . ./env.sh", "passes");
  check('name=${v}; echo "hello name"; n=$(echo 3); echo $((n + 1))', "passes");
  check('title=${v}; echo "the title is ready" > log.txt; lines=$(wc -l < log.txt); echo $((lines + 1))', "passes");
  check("printf '%s' ${v} > in.csv; awk -F, -f sum.awk in.csv; sed -n -f clean.sed in.csv", "passes");
  check("printf '%s' ${v} > .env.json; docker compose up -d", "passes");
  check("exec < /dev/null; printf '%s' ${v}", "passes");
  check("exec < list.txt; while read -r n; do echo $((n)); done; printf '%s' ${v}", "passes");
  check('curl -fsS "https://example.com/${v|uri}" -o r.json; n=$(jq length r.json); echo $((n + 1))', "passes");
  check("printf '%s' ${v} > index.md; npm run build; node server.js", "passes");
  check("cd app && printf '%s' ${v} > config.json && node index.js", "passes");
  check("printf '%s' ${v} | tee out.txt | wc -c; x=$(stat -c %s out.txt); echo $((x / 2))", "passes");
});
