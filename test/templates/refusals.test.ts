// The refusals of spec 4.1: a script, and the code it earns in each shell; and beside each the safe way, which passes.

import { describe, expect, test } from "vitest";
import { type Dialect, refuseInCmd, rewriteShell } from "../../src/shell/rewrite/index.ts";

const known = new Set(["v", "w", "n", "name", "TOKEN", "1", "2", "i"]);

async function codes(script: string, dialect: Dialect): Promise<string> {
  const answer = await rewriteShell(
    script,
    dialect,
    (root) => known.has(root),
    (name) => name === "TOKEN",
  );
  return answer.ok ? "passes" : [...new Set(answer.error.map(({ code }) => code))].join(", ");
}

/** `code` in bash, dash and zsh alike, unless `dialects` says where. */
function check(script: string, code: string, dialects: readonly Dialect[] = ["bash", "sh", "zsh"]): void {
  test(`${code}: ${script.replaceAll("\n", "⏎")}`, async () => {
    for (const dialect of dialects) expect(`${dialect}: ${await codes(script, dialect)}`).toBe(`${dialect}: ${code}`);
  });
}

describe("a value may not choose a command, a file or a name", () => {
  check("${v}", "template-command-name");
  check("${v} x", "template-command-name");
  check("./bin/${v}.sh", "template-command-name");
  check('"${v}" x', "template-command-name");
  check("sudo ${v}", "template-command-name");
  check("env A=b timeout 5 ${v} x", "template-command-name");
  check("$(printf %s ${v}) x", "template-command-name");
  check("x=${v}; $x y", "template-command-name");
  check("cat > ${v}", "template-redirect-target");
  check("cat >> out/${v}.txt", "template-redirect-target");
  check("cat < ${v}", "template-redirect-target");
  check("cat 2>&${v}", "template-redirect-target");
  check('f=${v}; cat > "$f"', "template-redirect-target");
  check("cat < ${v|file}", "passes");
  check("${v}=3", "template-name");
  check("${v}() { :; }", "template-name");
  check("for ${v} in a; do :; done", "template-name");
  check("cat <<${v}\nx\n${v}\n", "template-script-unreadable");
});

describe("places where the shell would read the value as something else", () => {
  check("cat <<'EOF'\n${v}\nEOF", "template-quoted-heredoc");
  check('cat <<"EOF"\n${v}\nEOF', "template-quoted-heredoc");
  check("echo `ls ${v}`", "template-backquotes");
  check("y=\"`ls '${v}'`\"", "template-backquotes");
  check("show ${x:-${v}}", "template-in-expansion");
  check('show "${x:-a ${v}}"', "template-in-expansion");
  check("show ${x#${v}}", "template-in-expansion");
  check("show ${x/${v}/y}", "template-in-expansion", ["bash", "zsh"]);
  check("show ${x:${v}:1}", "template-subscript", ["bash", "zsh"]);
  check("show ${a[${v}]}", "template-subscript", ["bash", "zsh"]);
  check("a[${v}]=1", "template-subscript", ["bash", "zsh"]);
  check("a=([${v}]=1)", "template-subscript", ["bash", "zsh"]);
  check("show [${v}]", "template-in-glob");
  check("show ~:${v}", "template-after-tilde", ["bash"]);
  check("show ~:x${v}", "template-after-tilde", ["bash"]);
  check("show ~:${v}", "passes", ["sh", "zsh"]);
  check("own=~:${v}; show ~/x:${v}", "passes");
  check("show {1..${v}}", "template-in-glob");
  check('show $"${v}"', "template-locale-string", ["bash", "zsh"]);
  check("show $'\\c${v}'", "template-ansi-escape", ["bash", "zsh"]);
  check("show ${v:-x}", "template-operator");
  check("show ${#v}", "template-operator");
  check("show ${!v}", "template-operator");
  check("show ${v%x}", "template-operator");
  check("show ${TOKEN:-x}", "passes");
  check("show ${other:-x} ${v}", "passes");
  check("show ${v|upper}", "unknown-filter");
});

describe("what evaluates its arguments", () => {
  for (const builtin of [
    "eval",
    "source",
    ".",
    "trap",
    "alias",
    "exec x",
    "command x",
    "builtin x",
    "read",
    "unset",
    "declare",
    "typeset",
    "let",
    "getopts",
    "mapfile",
    "compgen",
  ]) {
    check(`${builtin} \${v}`, "template-evaluated");
  }
  check('eval "show $(printf %s ${v})"', "template-evaluated");
  check("eval 'show ${v}'", "template-evaluated");
  check('e=${v}; eval "$e"', "template-evaluated");
  check('for e in ${v}; do eval "$e"; done', "template-evaluated");
  check('set -- ${v}; eval "$1"', "template-evaluated");
  check('read -r e <<< ${v}; eval "$e"', "template-evaluated", ["bash", "zsh"]);
  check("command eval ${v}", "template-evaluated");
  check("set ${v}", "template-evaluated");
  check("set -- ${v}", "passes");
  check("constructor ${v} | toString", "passes");
  check("export ${v}", "template-evaluated");
  check("export X=${v}", "passes");
  check("local -i x=${v}", "template-evaluated");
  check("test -v ${v}", "template-evaluated");
  check("[ -v ${v} ]", "template-evaluated");
  check("[[ -v ${v} ]]", "template-evaluated", ["bash", "zsh"]);
  check("[[ x =~ ${v} ]]", "template-evaluated", ["zsh"]);
  check("[[ x =~ ${v} ]]", "passes", ["bash"]);
  check("print ${v}", "template-evaluated", ["zsh"]);
  check("printf '%d' ${v}", "template-evaluated", ["zsh"]);
  check("printf '%d' ${v}", "passes", ["bash", "sh"]);
  check("printf '%d' ${v|int}", "passes");
  check("[ ${v} ${n} ${w} ]", "template-evaluated", ["zsh"]);
  check("printf -v ${v} x", "template-evaluated");
  check("printf ${v}", "template-printf-format");
  check('printf "${v}\\n"', "template-printf-format");
  check("printf '%s\\n' ${v}", "passes");
  check("echo ${v}", "template-echo", ["sh", "zsh"]);
  check("echo ${v}", "passes", ["bash"]);
  check("echo -e ${v}", "template-echo", ["bash"]);
  check("echo -n ${v}", "passes", ["bash"]);
});

describe("program text of other programs", () => {
  for (const script of [
    'sh -c "show ${v}"',
    "bash -c ${v}",
    "bash -ec 'show ${v}'",
    'sudo -u me bash -c "show ${v}"',
    'env X=1 timeout 5 sh -c "${v}"',
    "bash ${v}",
    "sh ./${v}.sh",
    'su - me -c "${v}"',
    "ssh host ${v}",
    'ssh -p 22 host "ls ${v}"',
    "ssh -o ProxyCommand=${v} host",
    "awk '{ print \"${v}\" }' f",
    "awk -v x=${v} '{ print x }' f",
    "awk -F, ${v} f",
    "sed s/a/${v}/ f",
    "sed -e s/a/${v}/ f",
    'jq ".${v}" f',
    'jq -r --arg a b ".${v}"',
    "python3 -c \"print('${v}')\"",
    "python3 ${v}",
    "node -e \"f('${v}')\"",
    "node --eval=${v}",
    "perl -ne 'print \"${v}\"'",
    "ruby -e ${v}",
    "php -r ${v}",
    'psql -c "select ${v}"',
    "mysql -e ${v}",
    'sqlite3 db "select ${v}"',
    "make X=${v}",
    "find . -name x -exec sh -c ${v} \\;",
    "find . -exec rm ${v} +",
    "xargs ${v}",
    "watch ${v}",
    "parallel ${v} ::: a",
    "docker exec c ${v}",
    "docker compose exec c ls ${v}",
    "kubectl exec pod -- ls ${v}",
    "git -c alias.x=${v} x",
    "curl -K ${v}",
    "xvfb-run sh -c ${v}",
    "nice -n 5 awk ${v}",
    "env -S ${v}",
    "bash <(printf %s ${v})",
    'bash -c "$(printf %s ${v})"',
    'x=${v}; bash -c "$x"',
    "printf %s ${v} | bash",
    "printf %s ${v} | sudo sh",
    "printf %s ${v} | python3",
    "printf %s ${v} | cat | sh -s a",
    "printf %s ${v} | ssh host",
    "printf %s ${v} | psql",
    "cat <<EOF | bash\n${v}\nEOF",
    "bash <<EOF\n${v}\nEOF",
    "sqlite3 db <<EOF\nselect ${v};\nEOF",
    "{ printf %s ${v}; } | { sh; }",
    "(sh) <<EOF\n${v}\nEOF",
  ])
    check(script, "template-program-text", script.includes("<(") ? ["bash", "zsh"] : undefined);
  for (const script of [
    "julia -e ${v}",
    "ipython3 -c ${v}",
    "tsx --eval=${v}",
    "elixir -e ${v}",
    "guile -c ${v}",
    "octave --eval ${v}",
    "swipl -g ${v}",
    "sage -c ${v}",
    "emacs --batch --eval ${v}",
    "nu -c ${v}",
    "xonsh -c ${v}",
    "powershell.exe -Command ${v}",
    "cmd.exe /c ${v}",
    "yq e .${v} f",
    "yq eval-all ${v} f",
    "mlr --icsv --ojson put ${v} f",
    "duckdb -c ${v}",
    "duckdb a.db ${v}",
    "mongosh --eval ${v}",
    "redis-cli EVAL ${v} 0",
    "clickhouse-client --query ${v}",
    "npm exec -c ${v}",
    "dc -e ${v}",
    "gnuplot -e ${v}",
    "less +${v} f",
    "nix-shell --run ${v}",
    "nix eval --expr ${v}",
    "ansible all -m shell -a ${v}",
    "gcloud compute ssh box --command ${v}",
  ])
    check(script, "template-program-text");
  for (const script of [
    "docker run --entrypoint ${v} image",
    "docker run --rm --entrypoint=${v} image",
    'docker run -e A=b --name x --entrypoint sh image -c "echo ${v}"',
    'docker run --entrypoint=/usr/bin/python3 image -c "print(${v})"',
    "docker compose run --entrypoint ${v} service",
    "podman create --health-cmd ${v} image",
    "npm exec -- ${v}",
    "npm exec --package=a -- ${v}",
    "npm create ${v}",
    "pnpm dlx ${v}",
    "yarn dlx ${v}",
    "bun x ${v}",
    "go run ${v}",
    "deno run ${v}",
    "uv run --with a ${v}",
    "uv tool run ${v}",
    "pipx run ${v}",
    "poetry run ${v}",
    "bundle exec ${v}",
    "nix run ${v}",
    "java -jar ${v}",
    "java ${v}",
    "mise exec -- ${v}",
    "op run --env-file .env -- ${v}",
    "direnv exec . ${v}",
    "ip netns exec space ${v}",
    "kubectl run x --image=i --command -- ${v}",
    "nodemon --exec ${v}",
    "yt-dlp --exec ${v} -- url",
    "pandoc --filter ${v} a.md",
    "restic --password-command ${v} ls",
    "vim +${v} f",
    "ansible-playbook ${v}",
  ])
    check(script, "template-program-text");
  for (const script of [
    'docker run -e X="${v}" -v "${v}:/x" --name ${v} image',
    "docker run --entrypoint sh image -c 'echo \"$1\"' sh ${v}",
    "docker run image:${v} ls",
    "docker run --rm image node a.js ${v}",
    "npm run build -- ${v}",
    "npm exec -- tsc ${v}",
    "npm install ${v}",
    "go run . ${v}",
    "uv run tool.py ${v}",
    "poetry run pytest -k ${v}",
    "java -cp lib Main ${v}",
    "java -jar app.jar ${v}",
    "op item get ${v}",
    "kubectl run x --image=i -- ${v}",
    "yt-dlp -- ${v}",
    "pandoc -o a.html ${v}",
    "vim -- ${v}",
    "perl -pe 's/a/b/' ${v}",
    "sox ${v} out.wav",
  ])
    check(script, "passes");
  for (const script of [
    "yq . ${v}",
    "redis-cli set k ${v}",
    "npm install -- ${v}",
    "less -- ${v}",
    "mlr --icsv cat ${v}",
    "julia x.jl ${v}",
  ])
    check(script, "passes");
  check("bash <<< ${v}", "template-program-text", ["bash", "zsh"]);

  for (const script of [
    "sh -c 'show \"$1\"' _ ${v}",
    "bash script.sh ${v}",
    "python3 -c 'import sys; print(sys.argv[1])' ${v}",
    "python3 tool.py ${v}",
    "printf %s ${v} | python3 -c 'import sys; print(sys.stdin.read())'",
    "printf %s ${v} | python3 tool.py",
    "node -e 'f(process.argv[1])' ${v}",
    "jq --arg q ${v} '.[$q]' f",
    "printf %s ${v} | jq -r .id",
    "jq . <<EOF\n${v}\nEOF",
    "awk '{ print ENVIRON[\"X\"] }' ${v}",
    "sed -n 1p ${v}",
    "grep -F -- ${v} f",
    "grep -e ${v} f",
    "find . -name ${v}",
    "sudo rm -- ${v}",
    "timeout ${n} curl https://x.test/${v}",
    "docker run -e X=${v} image",
    "git commit -m ${v}",
    "psql -v x=${v} -f q.sql",
    'ssh host "grep -F -- ${v|sh} file"',
    "sh -c 'show ${v|sh}'",
    "scp -- ${v} host:",
    "curl -d @${v|file} https://x.test",
    "make all",
    "xargs -n1 show < ${v|file}",
  ])
    check(script, "passes");
  check("ssh host \"grep '${v|sh}' file\"", "template-sh-place");
  check('ssh host "${v|sh} file"', "template-sh-place");
  check('ssh host "eval ${v|sh}"', "template-sh-place");
});

describe("names that run code or change programs", () => {
  for (const name of [
    "PATH",
    "LD_PRELOAD",
    "BASH_ENV",
    "PYTHONSTARTUP",
    "NODE_OPTIONS",
    "GIT_SSH_COMMAND",
    "IFS",
    "PS4",
    "https_proxy",
  ]) {
    check(`${name}=\${v} cmd`, "template-dangerous-variable");
    check(`export ${name}=\${v}`, "template-dangerous-variable");
    check(`env ${name}=\${v} cmd`, "template-dangerous-variable");
  }
  check("API_KEY=${v} cmd", "passes");
  check("env API_KEY=${v} cmd", "passes");
});

describe("the script's own names", () => {
  check("v=3; show ${v}", "template-assigned");
  check("for i in 1 2; do show ${i}; done", "template-assigned");
  check("for i in 1 2; do show $i; done", "passes");
  check("read -r v; show ${v}", "template-assigned");
  check('v=${v}; show "$v" ${v}', "passes");
  check("TOKEN=${TOKEN} cmd", "passes");
  check("CURLEW_V_v=x; show ${v}", "template-reserved-name");
  check("show $CURLEW_V_v ${v}", "template-reserved-name");
});

describe("what cannot be read is not guessed at", () => {
  check("show ${v} 'open", "template-script-unreadable");
  check("if true; show ${v}; fi", "template-script-unreadable");
  check("cat <<EOF\n${v}\n", "template-script-unreadable");
  check("show ${v} )", "template-script-unreadable");
  check("show 'open", "passes");
  check("setopt rc_quotes; show 'it''s ${v}'", "template-script-unreadable", ["zsh"]);
  for (const script of [
    "[[ ${v} = x ]]",
    "cat <<< ${v}",
    "a=(${v})",
    "show $'${v}'",
    "cat <(show ${v})",
    "(( ${n} > 3 ))",
    "show $'a'; show ${v}",
  ])
    check(script, "template-not-posix", ["sh"]);
});

test("cmd: refused, with the way that works", () => {
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

test("cmd: a variable that holds a value is read late, where its text is not read again", () => {
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
