// safety/deletes: the closed list of programs and words that count as deleting (spec 4.2).
//   L1. docs/reference/safety-levels.md shows this list, and a test runs every example of it.
//   L2. Only known words count. A method or option that is known only at run time is not guessed.

import { requestsOf } from "./requests.ts";
import type { Call } from "./script.ts";
import type { Term } from "./terms.ts";

export interface DeletingRule {
  programs: readonly string[];
  /** The description in the docs. */
  what: string;
  examples: readonly string[];
  /**
   * A pattern that one of the first eight words must match, or a function that finds the word and describes the effect.
   */
  find: RegExp | ((call: Call) => Deleted | undefined);
}

interface Deleted {
  at: Term;
  says: string;
}

export const DELETING: readonly DeletingRule[] = [
  {
    programs: ["curl", "wget", "wget2", "http", "https", "xh", "xhs", "curlie", "curlew"],
    what: "the method DELETE, or the header X-HTTP-Method-Override: DELETE",
    examples: [
      "curl -X DELETE https://x/1",
      "curl -sSXDELETE https://x/1",
      "wget --method=DELETE https://x/1",
      "xh delete https://x/1",
    ],
    find: (call) => {
      const request = requestsOf(call).find(({ method }) => method === "DELETE");
      return request && { at: request.methodAt, says: `${request.client} sends DELETE` };
    },
  },
  {
    programs: ["rm"],
    what: "-r, -R, --recursive; any rm by find or xargs",
    examples: ["rm -rf build", "find . -name x -exec rm {} +", "ls | xargs rm"],
    find: rmDeletes,
  },
  {
    programs: ["psql", "mysql", "mariadb", "sqlite3", "duckdb", "clickhouse-client", "sqlcmd", "mongosh"],
    what: "drop, truncate, and delete without where, in its words, a heredoc or a here-string",
    examples: ["psql -c 'drop table users'", "sqlite3 a.db 'delete from users'", "mysql <<< 'truncate table users'"],
    find: sqlDeletes,
  },
  {
    programs: ["git"],
    what: "clean -f, reset --hard, branch -D, tag -d, stash drop or clear, a push that forces or deletes",
    examples: [
      "git clean -fdx",
      "git reset --hard",
      "git branch -D x",
      "git push --force",
      "git push origin :x",
      "git push origin +main",
    ],
    find: gitDeletes,
  },
  {
    programs: ["find", "fd"],
    what: "-delete",
    examples: ["find . -name '*.tmp' -delete"],
    find: (call) =>
      saying(
        call,
        call.args.find((word) => word.literal === "-delete"),
      ),
  },
  {
    programs: ["rsync"],
    what: "--delete and similar options",
    examples: ["rsync -a --delete a/ b/"],
    find: /^--(delete|remove-source-files)/,
  },
  {
    programs: ["shred", "wipefs", "mkfs", "dropdb", "dropuser"],
    what: "always",
    examples: ["shred -u key.pem", "dropdb app"],
    find: (call) => ({ at: call.nameTerm, says: call.name ?? "" }),
  },
  { programs: ["crontab"], what: "-r", examples: ["crontab -r"], find: /^-[a-z]*r/ },
  {
    programs: ["redis-cli", "valkey-cli"],
    what: "FLUSHALL, FLUSHDB, DEL, UNLINK",
    examples: ["redis-cli flushall"],
    find: /^(flushall|flushdb|del|unlink)$/i,
  },
  { programs: ["mysqladmin"], what: "drop", examples: ["mysqladmin drop app"], find: /^drop$/ },
  {
    programs: ["docker", "podman", "nerdctl", "docker-compose"],
    what: "rm, rmi, prune, remove, --volumes",
    examples: ["docker rm -f x", "docker system prune -af", "docker compose down --volumes"],
    find: /^(rm|rmi|prune|remove|--volumes)$/,
  },
  {
    programs: ["kubectl", "oc", "helm"],
    what: "delete, uninstall, drain",
    examples: ["kubectl delete pod x", "kubectl -n a delete pod x", "helm uninstall x"],
    find: /^(delete|uninstall|del|un|drain)$/,
  },
  {
    programs: ["terraform", "tofu", "pulumi"],
    what: "destroy",
    examples: ["terraform destroy -auto-approve", "terraform apply -destroy"],
    find: /^-?destroy$/,
  },
  {
    programs: ["aws"],
    what: "delete-…, terminate-…, remove-…, purge-…, s3 rm, s3 rb, s3 sync --delete",
    examples: ["aws s3 rm s3://b/k", "aws ec2 terminate-instances --instance-ids i-1", "aws s3 sync a s3://b --delete"],
    find: /^(delete|terminate|remove|purge|deregister|batch-delete)-|^(rm|rb|--delete)$/,
  },
  {
    programs: ["gcloud", "az", "gsutil", "doctl", "heroku", "fly", "flyctl"],
    what: "delete, destroy, rm, rb, and names such as apps:destroy",
    examples: ["gcloud compute instances delete x", "az group delete -n x", "gsutil rm gs://b/k"],
    find: /^(\w+:)?(delete|destroy|rm|rb|remove|purge)$/,
  },
  {
    programs: ["gh", "glab"],
    what: "delete, delete-asset, and api with the method DELETE",
    examples: ["gh repo delete a/b --yes", "gh api -X DELETE /repos/a/b", "gh api --method=DELETE /repos/a/b"],
    find: /^(delete(-asset)?|(-X=?|--method=)?DELETE)$/,
  },
];

const BY_NAME = new Map(DELETING.flatMap((rule) => rule.programs.map((name) => [name, rule] as const)));

export function deletes(call: Call): Deleted | undefined {
  if (call.name === undefined) return undefined;
  const find = BY_NAME.get(call.name.startsWith("mkfs.") ? "mkfs" : call.name)?.find;
  if (!(find instanceof RegExp)) return find?.(call);
  const word = call.args.slice(0, 8).find((one) => find.test(one.literal ?? ""));
  return saying(call, word);
}

function saying(call: Call, at: Term | undefined): Deleted | undefined {
  return at && { at, says: `${call.name} ${at.literal ?? ""}` };
}

function rmDeletes(call: Call): Deleted | undefined {
  const end = call.args.findIndex((word) => word.literal === "--");
  const options = call.args.slice(0, end === -1 ? undefined : end).map((word) => ({ word, head: word.head }));
  const isRecursive = (head: string) => /^-[^-]*[rR]/.test(head) || (head.length > 3 && "--recursive".startsWith(head));
  const recursive = options.find(({ head }) => isRecursive(head));
  if (recursive !== undefined) return { at: recursive.word, says: "rm removes folders" };
  const many = call.wrappers.find(({ name }) => name === "find" || name === "xargs" || name === "parallel");
  return many && { at: call.nameTerm, says: `rm removes whatever ${many.name} finds` };
}

function sqlDeletes(call: Call): Deleted | undefined {
  for (const at of [...call.args, ...(call.feed.kind === "text" ? call.feed.words : [])]) {
    const text = at.pieces.map((piece) => piece.text ?? "x").join("");
    // `-cdrop table x`, `--command=drop table x`
    const found = deletingSql(text.replace(/^(-[a-z]|--[a-z-]+=)/, " "));
    if (found !== undefined) return { at, says: `${call.name} runs ${found}` };
  }
  return undefined;
}

const GIT: Readonly<Record<string, RegExp>> = {
  clean: /^(-[a-zA-Z]*f|--force)/,
  reset: /^--hard$/,
  branch: /^-[a-zA-Z]*D/,
  tag: /^(-[a-zA-Z]*d|--delete)/,
  stash: /^(drop|clear)$/,
  push: /^(--force|-[a-zA-Z]*[fd]|--delete|--mirror|--prune|:.|\+.)/,
};

function gitDeletes({ args }: Call): Deleted | undefined {
  const takesNext = (word: Term | undefined) => word !== undefined && /^(-c|-C|--git-dir|--work-tree)$/.test(word.head);
  const verb = args.findIndex((word, index) => !word.head.startsWith("-") && !takesNext(args[index - 1]));
  const name = verb === -1 ? "" : (args[verb]!.literal ?? "");
  const pattern = Object.hasOwn(GIT, name) ? GIT[name] : undefined;
  const at = args.slice(verb + 1).find((word) => pattern?.test(word.head));
  return at && { at, says: `git ${name} ${at.literal ?? ""}` };
}

/** The word that deletes, for a message; undefined without one. */
function deletingSql(text: string): string | undefined {
  for (const statement of withoutQuotes(text).split(";")) {
    const found =
      /\b(drop)\s+(?:table|database|schema|view|materialized|index|sequence|column|constraint|user|role|type|function|procedure|trigger|owned|extension|tablespace|keyspace|collection)\b/i.exec(
        statement,
      ) ??
      /^\s*(truncate)\b(?!\s*\()/i.exec(statement) ??
      /\b(truncate)\s+table\b/i.exec(statement);
    if (found !== null) return found[1]!.toUpperCase();
    if (/\bdelete\s+from\b/i.test(statement) && !/\bwhere\b/i.test(statement)) return "DELETE without WHERE";
    if (/^\s*db\.(?:dropDatabase|\w+\.(?:drop|remove|deleteMany))\s*\(\s*(?:\{\s*\}\s*)?\)/.test(statement))
      return "drop";
  }
  return undefined;
}

/** Removes comments, and empties quoted text. */
function withoutQuotes(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g, (found) =>
    /^["']/.test(found) ? `${found[0]}${found[0]}` : " ",
  );
}
