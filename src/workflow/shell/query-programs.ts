// shell/query-programs: clients of databases, clouds and machines, and which of their words are a query or a command to them (spec 4.1).
// A value in a query reads or deletes something else than was meant; one in a command that runs elsewhere is code there.

import { behind, following, optionValues, type Rule, some, values } from "./options.ts";

const all: Rule = (args) => [...args];
const EXECUTES: Rule = values("-e", "-f", "--execute", "--file");
/** What is shown of containers and pods: Go templates and JSONPath. */
export const CONTAINER_FORMATS: Rule = (args) => [
  ...values("-o", "--output", "--template", "--format")(args),
  ...behind(/^inspect$/, values("-f"))(args),
];

export const QUERY_RULES: Readonly<Record<string, Rule>> = {
  // `--parameter=v::VALUE` is data.
  bq: behind(
    /^query$/,
    some(
      { short: "n", long: ["--parameter", "--max_rows", "--project_id", "--dataset_id", "--location", "--format"] },
      (item) => item.position >= 0,
    ),
  ),
  "cypher-shell": some(
    {
      short: "aupdPf",
      long: ["--address", "--username", "--password", "--database", "--param", "--file", "--format", "--encryption"],
    },
    (item) => item.position >= 0 || optionValues("-P", "--param", "-f", "--file")(item),
  ),
  influx: (args) => [
    ...following(args, "-execute", "--execute"),
    ...behind(
      /^query$/,
      some(
        { short: "fotr", long: ["--file", "--org", "--org-id", "--token", "--host", "--profilers"] },
        (item) => item.position >= 0,
      ),
    )(args),
  ],
  mongo: values("--eval"),
  clickhouse: behind(/^(?:client|local)$/, values("-q", "--query")),
  "clickhouse-local": values("-q", "--query"),
  trino: EXECUTES,
  presto: EXECUTES,
  beeline: EXECUTES,
  hive: EXECUTES,
  "spark-sql": EXECUTES,
  mycli: EXECUTES,
  snowsql: values("-q", "-f", "-D", "--query", "--filename", "--variable"),
  snow: values("-q", "-f", "-D", "--query", "--filename", "--variable"),
  usql: values("-c", "-f", "-v", "--command", "--file", "--set"),
  csvsql: values("--query"),
  xmllint: values("--xpath"),
  // What `ed -v` writes is data.
  xmlstarlet: (args) => [
    ...behind(/^sel$/, values("-m", "-v", "-i", "-c", "-s", "-f"))(args),
    ...behind(/^ed$/, values("-d", "-u", "-s", "-i", "-a", "-m", "-r", "-x"))(args),
  ],
  xidel: values("-e", "-x", "--extract", "--xpath", "--xquery", "--css", "--extract-file"),
  jp: some({ short: "f", long: ["--filename"] }, (item) => item.position === 0),
  az: (args) => [...values("--query")(args), ...behind(/^run-command$/, all)(args)],
  aws: (args) => [...values("--query")(args), ...behind(/^send-command$/, all)(args)],
  oci: values("--query"),
  // Commands on other machines, and text that is filled in by a program.
  salt: all,
  concurrently: all,
  m4: all,
  heroku: behind(/^(?:run|run:.*)$/, all),
  vagrant: values("-c", "--command"),
  fly: values("-C", "--command"),
  flyctl: values("-C", "--command"),
  "ansible-playbook": values("-e", "--extra-vars"),
  gomplate: values("-i", "--in"),
  mutt: values("-e"),
  groovy: values("-e"),
  scala: values("-e"),
};

/** Clients that take their program from standard input where no word is one. */
export const QUERIES_BY_STDIN: ReadonlySet<string> = new Set([
  ..."mongosh mongo duckdb clickhouse-client clickhouse-local cqlsh sqlcmd trino presto beeline hive spark-sql cypher-shell".split(
    " ",
  ),
  ..."sqlplus snowsql mycli usql isql".split(" "),
]);
