// program-table: the programs that run their arguments as commands or program text, and the wrappers that start others
// (spec 4.1, "Refused").
// Other programs that interpret their arguments are the residual risk that docs/explanation/security.md names.

export interface Program {
  /** Shells and languages: their first word is a program. */
  kind?: "shell" | "language";
  /** Wrappers: how many words come before the command that they start. */
  wraps?: number;
  /** Wrappers: `NAME=value` words come before the command. */
  assignments?: boolean;
  /** Options that take a value. Options in `text` need not be repeated. */
  takes?: string;
  /** Options that take two values. */
  takesTwo?: string;
  /** Options whose value is program text or selects what runs. */
  text?: string;
  /**
   * Which words are program text. `script`: the first, unless an option of `text` is given. `later`: all but the first.
   */
  words?: "all" | "any" | "first" | "second" | "later" | "script";
  /** A word that matches is program text. */
  match?: RegExp;
  /** The rule covers only the words after this verb, up to `until`, and only if some word matches `when`. */
  after?: RegExp;
  until?: RegExp;
  when?: RegExp;
  /** The first word that is not an option ends the options. */
  posix?: boolean;
  /**
   * Whether it runs its standard input. `otherwise`: if it has no program text. `named`: if the program text is `-`.
   * `inner`: if its words start a program that does.
   */
  stdin?: "always" | "otherwise" | "named" | "inner";
  /** It may start a shell that is named among its words: `docker run image sh -c …`. */
  nested?: boolean;
  /** How to pass a value to the program as data. {v} is the reference. */
  help?: string;
}

const env = (text: string) => `Set env: { static: { VALUE: "{v}" } } and use ${text}`;
const query = (command: string) => `Fetch JSON and select in it: ${command} | jq --arg v {v} '… $v …'.`;

const SHELL: Program = {
  ...{ kind: "shell", takes: "-o -O", text: "--rcfile --init-file", words: "first", match: /^-\w/, posix: true },
  stdin: "otherwise",
  help: `Pass it as an argument: {p} -c '… "$1" …' {p} {v}. One quoted word with |sh works too.`,
};
const script = (text: string, takes: string, help?: string): Program => ({
  ...{ kind: "language", text, takes, help, words: "script", posix: true, stdin: "otherwise" },
});
const evaluates = (text: string): Program => ({ text, stdin: "otherwise" });
const starts = (after: RegExp, words: Program["words"] = "first"): Program => ({ after, words, takes: RUN_TAKES });
const RUN_TAKES = "-p --with --package --python --from --directory --project --env-file --only";
const ALL: Program = { words: "all" };
const AWK_TAKES = "-F -v -f -e -i -E --field-separator --assign --file --source --include --exec";
const CONTAINER_TAKES =
  "-a -e -h -l -m -p -u -v -w --name --env --env-file --volume --publish --user --workdir --network --label --mount --memory --cpus " +
  "--platform --add-host --hostname --pull --restart --device --cap-add --cap-drop --security-opt --ulimit --tmpfs --gpus --dns";
const CONTAINER: Program[] = [
  { after: /^exec$/, words: "all", nested: true, stdin: "inner" },
  // `--entrypoint sh image -c TEXT`
  { after: /^(?:run|create)$/, takes: CONTAINER_TAKES, text: "--entrypoint --health-cmd -c" },
  { text: "-o --output --template --format" },
  { after: /^inspect$/, text: "-f" },
  { after: /^--$/, when: /^(?:--command|debug)$/, words: "first" },
];
const SQL = evaluates("-c -e -f --command --execute --file --init-command");
const EXECUTES = evaluates("-e -f --execute --file");
const YT: Program = { text: "--exec --exec-before-download --downloader --external-downloader --netrc-cmd" };
const EDITOR: Program = { text: "-c -S --cmd", match: /^\+/ };
const COMMANDS_OF_GIT =
  /^(?:(?:alias|pager|include|includeif)\..*|core\.(?:pager|editor|sshcommand|askpass|hookspath|fsmonitor|gitproxy)|[\w-]+\.(?:.*\.)?(?:cmd|command|textconv|clean|smudge|process|helper|driver|program|editor|external))$/i;
const SSH_TAKES = "-B -b -c -D -E -e -I -i -J -L -l -m -O -p -Q -R -S -W -w";

/** Rules by program name; similar programs share a rule. */
export const PROGRAMS: Readonly<Record<string, Program | Program[]>> = {
  // Wrappers.
  env: { wraps: 0, assignments: true, takes: "-u -C --unset --chdir", text: "-S --split-string" },
  sudo: { wraps: 0, assignments: true, takes: "-u -g -h -p -C -D -R -r -t -T -U" },
  doas: { wraps: 0, assignments: true, takes: "-u -C" },
  timeout: { wraps: 1, takes: "-k -s --signal --kill-after" },
  "nice ionice choom": { wraps: 0, takes: "-n -c -p --adjustment" },
  "nohup setsid unshare busybox linux32 linux64 firejail tini dumb-init eatmydata torsocks unbuffer rlwrap valgrind": {
    wraps: 0,
  },
  "dbus-run-session command builtin noglob nocorrect chronic -": { wraps: 0 },
  "chroot taskset chrt setarch gosu su-exec setuidgid faketime": { wraps: 1 },
  flock: { wraps: 1, takes: "-w -E", text: "-c" },
  "time stdbuf strace ltrace exec": { wraps: 0, takes: "-f -o -i -e -p -a" },
  "proxychains proxychains4 fakeroot caffeinate": { wraps: 0, takes: "-f -l -s -i -b -t -w" },
  "nsenter setpriv prlimit pkexec systemd-run": {
    ...{ wraps: 0, takes: "-t -S -G -p -u --target --setuid --setgid --reuid --regid --groups --pid --user" },
  },
  "proot numactl xvfb-run": { wraps: 0, takes: "-r -b -q -w -C -N -m -l -e -n -f -p -s" },
  chpst: { wraps: 0, takes: "-u -U -b -e -m -d -o -p -l -f -r -c -/ -n" },

  // Shells and languages.
  "sh bash dash zsh ksh mksh ash fish rbash csh tcsh nu xonsh elvish yash osh ysh": SHELL,
  "pwsh powershell": { ...SHELL, help: env("$env:VALUE in the program.") },
  "cmd concurrently salt": ALL,
  ". source": { words: "first", stdin: "named" },
  "python ipython pypy": script(
    "-c -m",
    "-W -X",
    "Pass it as an argument: python3 -c '… sys.argv[1] …' {v}, python3 - {v} <<'END'; or by stdin.",
  ),
  "node nodejs bun tsx ts-node": [
    script(
      "-e -p -r --eval --print --require --import --loader",
      "-C --env-file",
      "Pass it as an argument: node -e '… process.argv[1] …' -- {v}; or by stdin.",
    ),
    starts(/^(?:x|run|create)$/),
  ],
  deno: [
    { after: /^eval$/, words: "all", help: env('Deno.env.get("VALUE") in the program.') },
    starts(/^(?:run|serve)$/),
  ],
  perl: script(
    "-e -E -M -m -I",
    "-i -C",
    "Pass it as an argument: perl -e '… $ARGV[0] …' -- {v}; or as $ENV{VALUE} with env.static.",
  ),
  ruby: script("-e -r -I", "-C", "Pass it as an argument: ruby -e '… ARGV[0] …' -- {v}; or by stdin."),
  php: script("-r -f -B -R -E -d -z", "-c", "Pass it as an argument: php -r '… $argv[1] …' -- {v}; or by stdin."),
  "lua luajit": script("-e -l", "", env('os.getenv("VALUE") in the program.')),
  "R Rscript": script("-e -f", "", env('Sys.getenv("VALUE") in the program.')),
  julia: script("-e -E -L --eval --print --load", ""),
  elixir: script("-e -r -S --eval --rpc-eval", ""),
  "guile swipl osascript tclsh expect sage octave ghc": script("-c -e -f -g -l -s -t --eval", ""),
  emacs: script("-f -l --eval --execute --load --script --funcall", ""),
  "groovy scala mutt": { text: "-e" },
  java: [
    { text: "-jar -m --module", takes: "-cp -classpath --class-path", words: "script" },
    { text: "-cp -classpath --class-path -javaagent" },
  ],

  // Text.
  "awk gawk mawk nawk": [
    {
      ...{ takes: AWK_TAKES, text: "-f -e -E -i --file --source --include --exec", words: "script", posix: true },
      stdin: "named",
      help: `${env('ENVIRON["VALUE"] in the program.')} Not with -v, which reads escapes.`,
    },
    { takes: AWK_TAKES, text: "-v --assign", posix: true },
  ],
  "sed gsed": {
    ...{ takes: "-l --line-length", text: "-e -f --expression --file", words: "script", stdin: "named" },
    help: `sed cannot take a value as data. ${env(`perl -pe 's/x/$ENV{VALUE}/' or awk with ENVIRON["VALUE"].`)}`,
  },
  "jq gojq jaq": {
    ...{ takes: "--indent", takesTwo: "--arg --argjson --slurpfile --rawfile", words: "script", stdin: "named" },
    ...{ text: "-f -L --from-file --library-path", help: "Pass it with --arg: jq --arg v {v} '… $v …'." },
  },
  yq: [
    { text: "-f --from-file", words: "script", help: env("strenv(VALUE) in the program.") },
    { after: /^(?:e|ea|eval|eval-all)$/, words: "first" },
  ],
  mlr: { after: /^(?:put|filter)$/, words: "all" },
  "xmllint xidel": {
    ...{ text: "-e -x --xpath --extract --xquery --css --extract-file" },
    help: env("python3 with lxml: tree.xpath('//a[. = $v]', v=os.environ[\"VALUE\"])."),
  },
  xmlstarlet: [
    { after: /^sel$/, text: "-m -v -i -c -s -f" },
    { after: /^ed$/, text: "-d -u -s -i -a -m -r -x", takes: "-v" },
  ],
  jp: { text: "-f --filename", words: "first" },
  m4: { words: "all", stdin: "always" },
  "ed at batch crontab": { stdin: "always" },
  dc: { text: "-e -f --expression --file", stdin: "always" },
  gnuplot: { text: "-e -c", stdin: "always" },
  "less view": { match: /^\+/ },
  "vim vi nvim ex": { ...EDITOR, stdin: "always" },
  gomplate: { text: "-i --in" },

  // Queries.
  psql: { ...SQL, help: "Pass it with -v and read :'v' in a script on stdin: psql -v v={v} <<'END'." },
  "mysql mariadb": { ...SQL, help: `The client has no parameters. ${env("a program whose library has them.")}` },
  sqlite3: {
    ...{ takes: "-init -separator -newline -nullvalue", text: "-cmd", words: "later", stdin: "otherwise" },
    help: "Write it to a file: printf %s {v} > value.txt, and use CAST(readfile('value.txt') AS TEXT) in the query.",
  },
  duckdb: {
    ...{ text: "-c -s -cmd", words: "later", stdin: "otherwise" },
    help: env("getenv('VALUE') in the query."),
  },
  "clickhouse-client clickhouse-local clickhouse": {
    ...evaluates("-q --query"),
    help: "Pass it as a parameter: clickhouse-client --param_v={v} -q 'select {v:String}'.",
  },
  "mongosh mongo": { ...evaluates("--eval"), help: env("process.env.VALUE in the program.") },
  "redis-cli": [
    {
      ...{ after: /^(?:eval|eval_ro|function|script)$/i, words: "first" },
      help: "Pass it as an argument of the script: redis-cli eval 'return ARGV[1]' 0 {v}.",
    },
    { after: /^(?:function|script)$/i, words: "second" },
  ],
  bq: {
    ...{ after: /^query$/, words: "any", stdin: "otherwise" },
    takes: "-n --parameter --max_rows --project_id --dataset_id --location --format",
    help: "Pass it as a parameter: bq query --use_legacy_sql=false --parameter=v::{v} 'SELECT … @v …'.",
  },
  "cypher-shell": {
    ...{ takes: "-a -u -p -d --address --username --password --database --format --encryption" },
    ...{ text: "-P --param -f --file", words: "any", stdin: "otherwise" },
  },
  influx: [
    { text: "-execute --execute" },
    {
      ...{ after: /^query$/, words: "any", stdin: "otherwise" },
      takes: "-f -o -t -r --file --org --org-id --token --host --profilers",
    },
  ],
  "cqlsh trino presto beeline hive spark-sql mycli sqlplus isql": EXECUTES,
  "snowsql snow": evaluates("-q -f -D --query --filename --variable"),
  usql: evaluates("-c -f -v --command --file --set"),
  sqlcmd: { ...evaluates("-Q -q -i -v"), takes: "-S -U -P -d" },
  csvsql: { text: "--query" },

  // Other machines, clouds and containers.
  ssh: {
    ...{ takes: SSH_TAKES, text: "-o -F", words: "later", posix: true, stdin: "inner" },
    help: 'Pass it as one quoted word with |sh: ssh host "grep -F -- {sh} file".',
  },
  "scp sftp": { takes: "-c -i -J -l -P", text: "-S -o -F -D -b" },
  "su runuser": { takes: "-g -G -w", text: "-c -s --command --shell" },
  script: { text: "-c --command" },
  "docker podman nerdctl docker-compose": [
    { ...CONTAINER[0], help: env(`docker exec -e VALUE container sh -c '… "$VALUE" …'.`) },
    ...CONTAINER.slice(1),
  ],
  "kubectl oc": [
    {
      ...CONTAINER[0],
      help: `Give it to a program that is not a shell: printf %s {v} | kubectl exec -i pod -- tee value.txt. ${query("kubectl get … -o json")}`,
    },
    ...CONTAINER.slice(1),
  ],
  aws: [
    { text: "--query", help: query("aws …") },
    { after: /^send-command$/, words: "all" },
  ],
  az: [
    { text: "--query", help: query("az …") },
    { after: /^run-command$/, words: "all" },
  ],
  oci: { text: "--query", help: query("oci …") },
  gcloud: { text: "--command" },
  gh: {
    ...{ text: "-q -t --jq --template", takes: "-f -F --raw-field --field" },
    match: /^(?:-[fF]|--(?:raw-)?field=)?query=/,
    help: `${env("env.VALUE in the program of --jq.")} In GraphQL use a variable: gh api graphql -f v={v} -f query='query($v: String!) { … }'.`,
  },
  ansible: { text: "-a --args", takes: "-m" },
  "ansible-playbook": { text: "-e --extra-vars", words: "first", help: env("lookup('env', 'VALUE') in the playbook.") },
  "heroku vagrant fly flyctl": [{ text: "-c -C --command" }, { after: /^run(?::.*)?$/, words: "all" }],

  // Programs that start others.
  find: {
    ...{ after: /^-(?:exec|execdir|ok|okdir)$/, until: /^[;+]$/, words: "all" },
    help: env(`find … -exec sh -c '… "$VALUE" …' sh {} \\;`),
  },
  xargs: { words: "all", stdin: "inner", help: env(`xargs sh -c '… "$VALUE" …' sh.`) },
  parallel: { words: "all", stdin: "always" },
  "make gmake": { words: "all", stdin: "named", help: env('"$$VALUE" in the recipe.') },
  "watch entr hyperfine socat tmux screen": ALL,
  fd: { after: /^(?:-[xX]|--exec|--exec-batch)$/, words: "all" },
  xterm: { after: /^-e$/, words: "all" },
  git: [
    { text: "-c --exec-path", takes: "-C", posix: true },
    { after: /^(?:filter-branch|foreach|run)$/, words: "all" },
    { after: /^rebase$/, text: "-x --exec" },
    { after: /^difftool$/, text: "-x --extcmd" },
    { after: /^grep$/, text: "-O --open-files-in-pager" },
    { after: /^clone$/, text: "-c -u --config --upload-pack" },
    { after: /^(?:fetch|pull|push|ls-remote|archive)$/, text: "--upload-pack --receive-pack --exec" },
    { after: /^config$/, when: COMMANDS_OF_GIT, words: "all" },
  ],
  rsync: { text: "-e --rsh --rsync-path" },
  tar: { text: "-I -F --to-command --checkpoint-action --use-compress-program --info-script" },
  zip: { text: "-TT --unzip-command" },
  sort: { takes: "-k -o -S -t -T -z --files0-from", text: "--compress-program" },
  split: { takes: "-a -b -C -l -n -t", text: "--filter" },
  man: { takes: "-C -R -L -m -M -S -s -p -e", text: "-P --pager" },
  curl: { text: "-K --config" },
  wget: { text: "-e --execute --use-askpass" },
  "nc ncat": { takes: "-p -s -w -x -X -m", text: "-e -c --exec --sh-exec --lua-exec" },
  "gdb lldb": {
    ...{ text: "-x -ex -ix -iex -o -O -s -S --eval-command --command", stdin: "always" },
  },
  npm: [{ text: "-c --call" }, starts(/^(?:exec|x|create|init|innit|dlx)$/)],
  "pnpm yarn": starts(/^(?:exec|x|create|init|innit|dlx)$/),
  npx: { takes: "-w", text: "-p -c --package --call", words: "first", posix: true },
  "bunx uvx": { text: "--from --with", words: "first", posix: true },
  "uv pipx poetry pdm pipenv hatch rye conda mamba bundle gem rbenv dotnet asdf op infisical dotenvx flatpak snap toolbox go":
    starts(/^(?:run|exec)$/),
  "direnv chamber aws-vault lxc incus multipass machinectl ip": starts(/^(?:exec|shell)$/, "second"),
  mise: starts(/^(?:x|exec)$/),
  doppler: [starts(/^run$/), { text: "--command" }],
  nix: [{ text: "-c --expr --command" }, starts(/^(?:run|shell|develop|build)$/)],
  "nix-shell": { text: "--run --command" },
  "nodemon watchexec wine": { text: "-x --exec", words: "first" },
  sg: { words: "second" },
  just: { text: "-f --justfile" },
  cmake: { text: "-P" },
  "yt-dlp youtube-dl": YT,
  pandoc: { text: "-F -L --filter --lua-filter --pdf-engine" },
  "restic rclone": { text: "--password-command" },
  tcpdump: { text: "-z" },
  aria2c: { match: /^--on-/ },
  nmap: { text: "--script" },
  gs: { text: "-c" },
  "echo printf grep test [": {},
};
