// shell/program-help: for each program that runs text, the way in which a value reaches it as data (spec 4.1: a diagnostic shows the safe way).
// Every way is accepted as a script, and tried with hostile values where its program is installed (test/templates/program-help.test.ts).

import { interpreterOf, SHELLS } from "./interpreters.ts";

/** `name`: the value as the author wrote it. Undefined: only what always works. */
export function helpOf(program: string, name: string): string | undefined {
  const plain = name.replace(/\|\w+\}$/, "}");
  const known = /^(?:i?python|pypy)[0-9.]*$/.test(program)
    ? "python3"
    : /^(?:perl|ruby|php|lua)[0-9.]+$/.test(program)
      ? program.replace(/[0-9.]+$/, "")
      : (ALIKE[program] ?? program);
  if (SHELLS.has(known) && !Object.hasOwn(WAYS, known))
    return `Pass it as an argument: ${known} -c '… "$1" …' ${known} ${plain}; or as one quoted word with |sh.`;
  return Object.hasOwn(WAYS, known) ? WAYS[known]?.(plain) : undefined;
}

/** What to write when a value is fed to it as a part of its program. */
export function helpOfFed(program: string, name: string): string {
  const fed = interpreterOf(program) !== undefined || SHELLS.has(program) ? helpOf(program, name) : undefined;
  const ways = "Write the program into the script and pass the value as an argument or variable of it.";
  return fed === undefined ? ways : `${ways} ${fed}`;
}

const ALIKE: Readonly<Record<string, string>> = {
  ...{
    gawk: "awk",
    mawk: "awk",
    nawk: "awk",
    gsed: "sed",
    gojq: "jq",
    jaq: "jq",
    nodejs: "node",
    tsx: "node",
    bun: "node",
  },
  ...{ mariadb: "mysql", podman: "docker", nerdctl: "docker", oc: "kubectl", gmake: "make", pwsh: "powershell" },
  ...{
    xmlstarlet: "xmllint",
    clickhouse: "clickhouse-client",
    "clickhouse-local": "clickhouse-client",
  },
};

const env = (name: string, text: string) =>
  `Hand it over in the environment: env: { static: { VALUE: "${name}" } }, and ${text}`;

const selected = (command: string, name: string) =>
  `Take JSON and select in it: ${command} | jq --arg v ${name} '… $v …'.`;

const WAYS: Readonly<Record<string, (name: string) => string>> = {
  jq: (v) => `Pass it with --arg: jq --arg v ${v} '… $v …'.`,
  yq: (v) => env(v, "strenv(VALUE) in the program (env.VALUE in the yq that wraps jq)."),
  gh: (v) =>
    `${env(v, "env.VALUE in the program of --jq.")} Of GraphQL it is a variable: gh api graphql -f v=${v} -f query='query($v: String!) { … }'.`,
  awk: (v) => `${env(v, 'ENVIRON["VALUE"] in the program.')} Not with -v, which reads escapes.`,
  sed: (v) => `sed cannot take a value as data. ${env(v, `perl -pe 's/x/$ENV{VALUE}/' or awk with ENVIRON["VALUE"].`)}`,
  ssh: (v) => `Pass it as one quoted word with |sh: ssh host "grep -F -- ${v.replace(/\}$/, "|sh}")} file".`,
  python3: (v) => `Pass it as an argument: python3 -c '… sys.argv[1] …' ${v}, python3 - ${v} <<'END'; or by stdin.`,
  node: (v) => `Pass it as an argument: node -e '… process.argv[1] …' -- ${v}; or by stdin.`,
  deno: (v) => env(v, 'Deno.env.get("VALUE") in the program.'),
  perl: (v) => `Pass it as an argument: perl -e '… $ARGV[0] …' -- ${v}; or as $ENV{VALUE} by env.static.`,
  ruby: (v) => `Pass it as an argument: ruby -e '… ARGV[0] …' -- ${v}; or by stdin.`,
  php: (v) => `Pass it as an argument: php -r '… $argv[1] …' -- ${v}; or by stdin.`,
  lua: (v) => env(v, 'os.getenv("VALUE") in the program.'),
  Rscript: (v) => env(v, 'Sys.getenv("VALUE") in the program.'),
  R: (v) => env(v, 'Sys.getenv("VALUE") in the program.'),
  powershell: (v) => env(v, "$env:VALUE in the program."),
  psql: (v) => `Pass it with -v and read :'v' in a script given by stdin: psql -v v=${v} <<'END'.`,
  mysql: (v) => `The client has no parameters. ${env(v, "a program whose library has them (python3, node).")}`,
  sqlite3: (v) =>
    `Write it to a file and read that: printf %s ${v} > value.txt, and CAST(readfile('value.txt') AS TEXT) in the query.`,
  duckdb: (v) => env(v, "getenv('VALUE') in the query."),
  "clickhouse-client": (v) => `Pass it as a parameter: clickhouse-client --param_v=${v} -q 'select {v:String}'.`,
  mongosh: (v) => env(v, "process.env.VALUE in the program."),
  "redis-cli": (v) => `Pass it as an argument of the script: redis-cli eval 'return ARGV[1]' 0 ${v}.`,
  docker: (v) => env(v, `docker exec -e VALUE container sh -c '… "$VALUE" …'.`),
  kubectl: (v) =>
    `Give it by stdin to a program that is no shell: printf %s ${v} | kubectl exec -i pod -- tee value.txt. ${selected("kubectl get … -o json", v)}`,
  bq: (v) => `Pass it as a parameter: bq query --use_legacy_sql=false --parameter=v::${v} 'SELECT … @v …'.`,
  aws: (v) => selected("aws …", v),
  az: (v) => selected("az …", v),
  oci: (v) => selected("oci …", v),
  jp: (v) => selected("cat file", v),
  xmllint: (v) => env(v, "python3 with lxml: tree.xpath('//a[. = $v]', v=os.environ[\"VALUE\"])."),
  "ansible-playbook": (v) => env(v, "lookup('env', 'VALUE') in the playbook."),
  find: (v) => env(v, `find … -exec sh -c '… "$VALUE" …' sh {} \\;`),
  xargs: (v) => env(v, `xargs sh -c '… "$VALUE" …' sh.`),
  make: (v) => env(v, '"$$VALUE" in the recipe.'),
};
