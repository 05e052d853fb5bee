// Values in the queries and far commands of clients (databases, clouds, machines) are refused, the client's own way of passing data is not
// (spec 4.1: "program text").

import { expect, test } from "vitest";
import { rewriteShell } from "../../src/workflow/shell-template.ts";

async function codes(script: string): Promise<string> {
  const answer = await rewriteShell(script, "bash", (root) => root === "v");
  return answer.ok ? "passes" : [...new Set(answer.error.map(({ code }) => code))].join(", ");
}

test.each([
  `bq query "select '\${v}'"`,
  `bq query --use_legacy_sql=false --max_rows 5 "select '\${v}'"`,
  `bq query <<< "select '\${v}'"`,
  `cypher-shell "MATCH (n {name:'\${v}'}) RETURN n"`,
  `cypher-shell -P "n => '\${v}'" 'MATCH (n) RETURN n'`,
  `cypher-shell <<E\nMATCH (n {name:'\${v}'}) RETURN n\nE`,
  `influx query 'from(bucket:"\${v}")'`,
  `influx -execute "select '\${v}'"`,
  `xmllint --xpath "//a[.='\${v}']" f.xml`,
  `xmlstarlet sel -t -v "//a[.='\${v}']" f.xml`,
  `xmlstarlet ed -u "//a[.='\${v}']" -v x f.xml`,
  `xidel -e "//a[.='\${v}']" f`,
  `aws ec2 describe-instances --query "x[?n=='\${v}']"`,
  `aws ssm send-command --parameters commands="echo \${v}"`,
  `az vm list --query "[?name=='\${v}']"`,
  `az vm run-command invoke --scripts "echo \${v}"`,
  `oci x list --query "data[?a=='\${v}']"`,
  `jp "a.\${v}" < f`,
  `kubectl get pods -o jsonpath="{.items[?(@.a=='\${v}')]}"`,
  `kubectl get pods --template="{{\${v}}}"`,
  `docker ps --format "{{\${v}}}"`,
  `docker inspect -f "{{\${v}}}" c`,
  `gh api graphql -f query="{ a(b: \\"\${v}\\") }"`,
  `gh pr list --json a --template "\${v}"`,
  `mongo --eval "x='\${v}'"`,
  `mongosh <<E\ndb.find('\${v}')\nE`,
  `redis-cli <<< "set k \${v}"`,
  `printf 'set k %s' \${v} | redis-cli`,
  `duckdb db <<< "select '\${v}'"`,
  `clickhouse client -q "select '\${v}'"`,
  `clickhouse-client <<< "select '\${v}'"`,
  `trino --execute "select '\${v}'"`,
  `beeline -e "select '\${v}'"`,
  `spark-sql -e "select '\${v}'"`,
  `snowsql -q "select '\${v}'"`,
  `snow sql -q "select '\${v}'"`,
  `usql db -c "select '\${v}'"`,
  `sqlplus -s u <<E\nselect '\${v}' from dual;\nE`,
  `csvsql --query "select '\${v}'" f`,
  `salt '*' cmd.run "echo \${v}"`,
  `heroku run "echo \${v}"`,
  `vagrant ssh -c "echo \${v}"`,
  `fly ssh console -C "echo \${v}"`,
  `ansible-playbook -e "x=\${v}" p.yml`,
  `concurrently "echo \${v}"`,
  `m4 -D x=\${v} f`,
  `x="select '\${v}'"; bq query "$x"`,
  `sudo bq query "select '\${v}'"`,
])("refused: %s", async (script) => {
  expect(await codes(script)).toMatch(/^template-(?:program-text|tainted)/);
});

test.each([
  `bq query --parameter=v::\${v} 'SELECT @v'`,
  `bq query --max_rows \${v} 'SELECT 1'`,
  `bq load t \${v}`,
  `influx write -b bucket \${v}`,
  `xmllint --noout \${v}`,
  `xmlstarlet sel -t -v //a \${v}`,
  `xmlstarlet ed -u //a -v \${v} f.xml`,
  `aws s3 cp f s3://b/\${v}`,
  `aws ec2 describe-instances --query 'x[].n' --region \${v}`,
  `az vm list -g \${v} --query '[].name'`,
  `kubectl get pods -n \${v} -o json`,
  `docker inspect \${v}`,
  `gh api graphql -f v=\${v} -f query='query($v: String!) { a(b: $v) }'`,
  `gh issue create --title \${v}`,
  `redis-cli get \${v}`,
  `printf %s \${v} | redis-cli -x set k`,
  `clickhouse-client -q 'insert into t format CSV' <<< \${v}`,
  `printf %s \${v} | duckdb -c "select * from read_csv('/dev/stdin')"`,
  `snowsql -d \${v} -q 'select 1'`,
  `heroku logs -a \${v}`,
])("passes: %s", async (script) => {
  expect(await codes(script)).toBe("passes");
});
