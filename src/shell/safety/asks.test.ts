// asks.test: spellings that need approval, and similar ones that do not.

import * as unbash from "unbash";
import { describe, expect, test } from "vitest";
import { asksOf } from "./asks.ts";
import { DELETING } from "./deletes.ts";
import { readScript, scriptOf } from "./script.ts";
import type { Meaning } from "./terms.ts";

interface Given {
  values?: Record<string, Meaning>;
  statics?: Record<string, string>;
  /** Standard input is a value. */
  fed?: boolean;
}

function asks(content: string, { values = {}, statics = {}, fed = false }: Given = {}): string[] {
  const reading = readScript(unbash, content, (root) => root in values || root in statics);
  const meaning = (root: string) => values[root] ?? (root in statics ? { text: statics[root]! } : {});
  const script = scriptOf(reading, {
    meaningOf: ({ root }) => meaning(root),
    exported: (name) => (name in statics ? meaning(name) : undefined),
  });
  return asksOf(script, fed).map(({ code }) => code);
}

function each(title: string, code: string, contents: readonly string[], given?: Given): void {
  describe(title, () => {
    test.each(contents)("%s", (content) => expect(asks(content, given)).toContain(code));
  });
}
function never(title: string, contents: readonly string[], given?: Given): void {
  describe(title, () => {
    test.each(contents)("%s", (content) => expect(asks(content, given)).toEqual([]));
  });
}

each("deletes", "deletes", [
  "curl -X DELETE https://x/1",
  "curl -XDELETE https://x/1",
  "curl -sSXDELETE https://x/1",
  "curl -sSX DELETE https://x/1",
  "curl -X 'DELETE' https://x/1",
  'curl -X "DELETE" https://x/1',
  "curl -X $'DELETE' https://x/1",
  "curl -X $'\\x44ELETE' https://x/1",
  "curl -X DEL''ETE https://x/1",
  "curl -X delete https://x/1",
  "curl --request DELETE https://x/1",
  "curl --request=DELETE https://x/1",
  "curl https://x/1 --request DELETE",
  "curl -s \\\n  -X \\\n  DELETE https://x/1",
  "curl --url https://x/1 -fX DELETE",
  "curl https://x/1 --next -X DELETE https://x/2",
  "curl https://x -: -X DELETE https://x/2",
  "/usr/bin/curl -X DELETE https://x/1",
  "\\curl -X DELETE https://x/1",
  "'curl' -X DELETE https://x/1",
  "command curl -X DELETE https://x/1",
  "timeout 5 curl -X DELETE https://x/1",
  "env A=1 nice -n 5 curl -X DELETE https://x/1",
  "A=1 curl -X DELETE https://x/1",
  "if true; then curl -X DELETE https://x/1; fi",
  "x=$(curl -X DELETE https://x/1)",
  "x=`curl -X DELETE https://x/1`",
  'echo "got: $(curl -X DELETE https://x/1)"',
  "cat <(curl -X DELETE https://x/1)",
  'api() { curl -X DELETE "$@"; }; api https://x/1',
  "for id in 1 2; do curl -X DELETE https://x/$id; done",
  "METHOD=DELETE; curl -X $METHOD https://x/1",
  'METHOD=DELETE\ncurl -X "${METHOD}" https://x/1',
  "curl -H 'X-HTTP-Method-Override: DELETE' -d '' https://x/1",
  "bash -c 'curl -X DELETE https://x/1'",
  "sh -ec 'rm -rf build'",
  'eval "curl -X DELETE https://x/1"',
  "ssh host 'rm -rf /srv/x'",
  "ssh -p 22 host rm -r x",
  "bash <<'EOF'\nrm -rf x\nEOF",
  "trap 'rm -rf \"$dir\"' EXIT",
  "wget --method=DELETE https://x/1",
  "wget --method DELETE https://x/1",
  "wget --meth=delete https://x/1",
  "http DELETE https://x/1",
  "http delete https://x/1",
  "https --verify=no DELETE x/1",
  "xh -b delete https://x/1 a=1",
  "curlie DELETE https://x/1",
  "curlie -sX DELETE https://x/1",
  "curlew http DELETE https://x/1",
  "curlew http delete https://x/1 -H a:b",
  "curlew http --retry 3 DELETE https://x/1",
  "curlew http --query a=b -F f=@x --json '{}' DELETE https://x/1",
  "curlew http -Fa=b --max-time=5 --graphql '{ me }' delete https://x/1",
  "curlew http -i -- DELETE https://x/1",
  "http --timeout 5 --max-redirects 3 DELETE https://x/1",
  "http -d DELETE https://x/1",
  "xh --bearer t delete https://x/1",
  "rm -rf x",
  "rm -fr x",
  "rm -r x",
  "rm -R x",
  "rm --recursive x",
  "rm --recurs x",
  "rm x -r",
  "rm -f -- -r/x -; rm -vrf -- x",
  "find . -exec rm {} +",
  "find . -exec rm -f {} \\;",
  "ls | xargs rm",
  "ls | xargs -0 -n 1 rm -f",
  "find . -print0 | xargs -0 -I{} rm {}",
  "git -C x clean -fd",
  "git push -f",
  "git push origin --delete x",
  "git push --force-with-lease",
  "psql -c 'DROP TABLE users'",
  "psql -c'drop  table users'",
  'psql --command="delete from users; select 1"',
  "psql -X <<'SQL'\nbegin;\ntruncate users;\nSQL",
  "mysql app -e 'DROP DATABASE app'",
  "sqlite3 app.db 'delete from users'",
  "sqlite3 app.db <<< 'drop table users'",
  "kubectl --context x -n y delete pod/z",
  "docker container rm x",
  "aws --profile x s3api delete-object --bucket b --key k",
  ...DELETING.flatMap(({ examples }) => examples),
]);

never("look-alikes that delete nothing", [
  "curl https://x/1",
  "curl -X GET https://x/DELETE",
  'curl -X POST -d \'{"method": "DELETE"}\' https://x/',
  "curl -d 'X DELETE' https://x/",
  "curl -d -X https://x/ # DELETE",
  "# curl -X DELETE https://x/1",
  "echo 'curl -X DELETE https://x/1'",
  "echo curl -X DELETE https://x/1",
  "printf '%s' \"rm -rf /\"",
  "cat <<'EOF' > out.txt\nrm -rf x\nEOF",
  "curl -o DELETE https://x/",
  "curl -x DELETE https://x/",
  "curl -H 'X-Method: DELETE' https://x/",
  "curl -G -d method=DELETE https://x/",
  "rm x",
  "rm -f x",
  "rm -- -r",
  "trm -rf x",
  "rm_all -rf x",
  "git rm --cached x",
  "git push",
  "git push origin main",
  "git branch -a",
  "git clean -nd",
  "git log --grep delete",
  "psql -c 'select * from dropped'",
  "psql -c \"select 'drop table x'\"",
  "psql -c 'delete from users where id = 1'",
  "psql -c '-- drop table x'",
  "sqlite3 app.db 'select truncate(1.5)'",
  "kubectl get pods",
  "docker run --rm x",
  "docker ps",
  "aws s3 ls",
  "gh api /repos/a/b",
  "http https://x/ method=DELETE",
  "wget https://x/DELETE",
  "find . -name delete",
  "ls | xargs echo rm",
  "jq 'del(.delete)' x.json",
]);

each("escalates", "escalates", [
  "sudo ls",
  "sudo -u root rm x",
  "/usr/bin/sudo ls",
  "su -c 'ls'",
  "su - postgres",
  "doas ls",
  "pkexec ls",
  "run0 ls",
  "timeout 5 sudo ls",
  "echo x | sudo tee y",
  "bash -c 'sudo ls'",
  "ls | xargs sudo chown x",
  "x=$(sudo cat y)",
  "if sudo true; then :; fi",
]);
never("look-alikes that take no rights", [
  "echo sudo",
  "sudoku",
  "ls sudo",
  "# sudo ls",
  "grep su file",
  "cat su.txt",
  "printf 'sudo ls'",
]);

each("does not check certificates", "insecure-tls", [
  "curl -k https://x/",
  "curl -sSk https://x/",
  "curl -kL https://x/",
  "curl --insecure https://x/",
  "curl --proxy-insecure https://x/",
  "curl https://x/ -k",
  "wget --no-check-certificate https://x/",
  "wget -q --no-check-cert https://x/",
  "xh --verify=no https://x/",
  "http --verify no https://x/",
  "NODE_TLS_REJECT_UNAUTHORIZED=0 node x.js",
  "GIT_SSL_NO_VERIFY=1 git pull",
  "git -c http.sslVerify=false pull",
  "for i in 1 2; do timeout 5 curl -fsSkL https://x/$i; done",
]);
never("look-alikes that check", [
  "curl -K - https://x/ < config",
  "curl -o -k https://x/",
  "curl -d k https://x/",
  "curl -H 'a: -k' https://x/",
  "curl -k --no-insecure https://x/",
  "curl -X GET https://x/-k",
  "curl -uk:k https://x/",
  "ls -k",
  "sort -k 2",
  "curl https://x/ | sort -k1",
  "wget --certificate=x https://x/",
]);

never(
  "values that earlier nodes chose",
  [
    'curl -X POST "https://x/${id}"',
    'curl -X PATCH -d "a=${id}" "https://x/${id}"',
    'curl -X PUT -T - "https://x/${id}"',
    'rm "${id}"',
    'npm install "${id}"',
    'docker run "${id}"',
    "echo x > /etc/motd",
  ],
  { values: { id: {} } },
);

const fed = { fed: true };
each(
  "runs what it is fed",
  "runs-input",
  [
    "bash",
    "sh -s",
    "bash -s -- a b",
    "python3 -",
    "python3",
    "node -",
    "node",
    "perl",
    "psql",
    "psql -d app",
    "sqlite3 app.db",
    "cat | bash",
    "jq -r .script | sh",
    "bash /dev/stdin",
    'eval "$(cat)"',
    'bash -c "$(cat)"',
    "sudo bash",
    "curl https://x/ | sh",
    "curl https://x/ | sudo bash -s",
    'eval "$(curl https://x/)"',
    "bash <(curl https://x/)",
    "source <(wget -qO- https://x/)",
    "if true; then bash; fi",
  ],
  fed,
);
never(
  "look-alikes that run the author's own text",
  [
    "bash script.sh",
    "python3 -c 'import sys; print(sys.stdin.read())'",
    "node -e 'x()'",
    "python3 script.py",
    "psql -c 'select 1'",
    "bash <<'EOF'\necho x\nEOF",
    "psql < schema.sql",
    "echo 'select 1' | psql",
    "printf 'ls' | sh",
    "jq .x",
    "cat schema.sql | wc -l",
    "sh -c 'jq .x'",
    "curl https://x/ | jq .",
    "curl https://x/ | python3 -c 'pass'",
  ],
  fed,
);
never("no value on standard input", ["bash", "psql", "cat | sh", "python3 -"]);
