// safety/deletes: what counts as deleting: a closed list of programs, each with the words that make it one (spec 4.2).
//   L1. The list is what docs/reference/safety-levels.md shows; a test runs every example of it.
//   L2. Only what is known counts: a method or an option that nobody knows before the script runs is not guessed.

import { requestsOf } from "./requests.ts";
import type { Call } from "./script.ts";
import { deletingSql } from "./sql.ts";
import { headOf, type Term, textOf } from "./terms.ts";

export interface DeletingRule {
  programs: readonly string[];
  /** For the page: what of it asks. */
  what: string;
  examples: readonly string[];
  /** The word that says so, and what it is called in a message. */
  find(call: Call): { at: Term; says: string } | undefined;
}

const REQUESTS: DeletingRule = {
  programs: ["curl", "wget", "wget2", "http", "https", "xh", "xhs", "curlie", "curlew"],
  what: "the method DELETE, also as X-HTTP-Method-Override",
  examples: [
    "curl -X DELETE https://x/1",
    "curl -sSXDELETE https://x/1",
    "wget --method=DELETE https://x/1",
    "xh delete https://x/1",
  ],
  find: (call) => {
    const request = requestsOf(call).find(({ method }) => method === "DELETE");
    return request === undefined ? undefined : { at: request.methodAt, says: `${request.client} sends DELETE` };
  },
};

const RULES: readonly DeletingRule[] = [
  REQUESTS,
  {
    programs: ["rm"],
    what: "-r, -R, --recursive; any rm by find or xargs",
    examples: ["rm -rf build", "find . -name x -exec rm {} +", "ls | xargs rm"],
    find: (call) => {
      const recursive = options(call).find((word) => cluster(word, /[rR]/) || long(word, "--recursive", 4));
      if (recursive !== undefined) return { at: recursive, says: "rm removes folders" };
      const many = call.wrappers.find(({ name }) => name === "find" || name === "xargs" || name === "parallel");
      return many === undefined ? undefined : { at: call.nameTerm, says: `rm removes whatever ${many.name} finds` };
    },
  },
  {
    programs: ["find", "fd"],
    what: "-delete",
    examples: ["find . -name '*.tmp' -delete"],
    find: (call) =>
      says(
        call,
        call.args.find((word) => textOf(word) === "-delete"),
        "find -delete",
      ),
  },
  {
    programs: ["git"],
    what: "clean, reset --hard, branch -D, tag -d, stash drop or clear, a push that forces or deletes",
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
    programs: ["rsync"],
    what: "--delete and its kin",
    examples: ["rsync -a --delete a/ b/"],
    find: (call) =>
      says(
        call,
        call.args.find((word) => /^--(delete|remove-source-files)/.test(headOf(word))),
        "rsync --delete",
      ),
  },
  {
    programs: ["shred", "wipefs", "mkfs", "dropdb", "dropuser"],
    what: "always",
    examples: ["shred -u key.pem", "dropdb app"],
    find: (call) => ({ at: call.nameTerm, says: call.name ?? "" }),
  },
  {
    programs: ["crontab"],
    what: "-r",
    examples: ["crontab -r"],
    find: (call) =>
      says(
        call,
        options(call).find((word) => cluster(word, /r/)),
        "crontab -r",
      ),
  },
  {
    programs: ["psql", "mysql", "mariadb", "sqlite3", "duckdb", "clickhouse-client", "sqlcmd", "mongosh"],
    what: "drop, truncate, and delete without where, in its words, a heredoc, a here-string or what echo and printf hand it",
    examples: ["psql -c 'drop table users'", "sqlite3 a.db 'delete from users'", "mysql <<< 'truncate table users'"],
    find: (call) => {
      const texts: Term[] = [...call.args, ...(call.feed.kind === "text" ? call.feed.words : [])];
      for (const word of texts) {
        const found = deletingSql(sqlOf(word));
        if (found !== undefined) return { at: word, says: `${call.name} is told ${found}` };
      }
      return undefined;
    },
  },
  {
    programs: ["redis-cli", "valkey-cli"],
    what: "FLUSHALL, FLUSHDB, DEL, UNLINK",
    examples: ["redis-cli flushall"],
    find: (call) => says(call, word(call, /^(flushall|flushdb|del|unlink)$/i), "redis"),
  },
  {
    programs: ["mysqladmin"],
    what: "drop",
    examples: ["mysqladmin drop app"],
    find: (call) => says(call, word(call, /^drop$/), "mysqladmin drop"),
  },
  {
    programs: ["docker", "podman", "nerdctl", "docker-compose"],
    what: "rm, rmi, prune, remove, down -v",
    examples: ["docker rm -f x", "docker system prune -af", "docker compose down -v"],
    find: (call) =>
      says(
        call,
        verbs(call, 3).find((verb) => /^(rm|rmi|prune|remove)$/.test(textOf(verb) ?? "")) ??
          (verbs(call, 2).some((verb) => textOf(verb) === "down")
            ? options(call).find((option) => /^(-v|--volumes|--rmi)/.test(headOf(option)))
            : undefined),
        call.name ?? "",
      ),
  },
  {
    programs: ["kubectl", "oc", "helm"],
    what: "delete, uninstall, drain",
    examples: ["kubectl delete pod x", "kubectl -n a delete pod x", "helm uninstall x"],
    find: (call) => says(call, word(call, /^(delete|uninstall|del|un|drain)$/), call.name ?? ""),
  },
  {
    programs: ["terraform", "tofu", "pulumi"],
    what: "destroy",
    examples: ["terraform destroy -auto-approve", "terraform apply -destroy"],
    find: (call) => says(call, word(call, /^(destroy|-destroy)$/), call.name ?? ""),
  },
  {
    programs: ["aws"],
    what: "delete-…, terminate-…, remove-…, purge-…, s3 rm, s3 rb, s3 sync --delete",
    examples: ["aws s3 rm s3://b/k", "aws ec2 terminate-instances --instance-ids i-1", "aws s3 sync a s3://b --delete"],
    find: (call) =>
      says(
        call,
        verbs(call, 3).find((verb) =>
          /^(delete|terminate|remove|purge|deregister|batch-delete)-|^(rm|rb)$/.test(textOf(verb) ?? ""),
        ) ?? word(call, /^--delete$/),
        "aws",
      ),
  },
  {
    programs: ["gcloud", "az", "gsutil", "doctl", "heroku", "fly", "flyctl"],
    what: "delete, destroy, rm, rb, and names such as apps:destroy",
    examples: ["gcloud compute instances delete x", "az group delete -n x", "gsutil rm gs://b/k"],
    find: (call) =>
      says(
        call,
        verbs(call, 6).find((verb) => /^(\w+:)?(delete|destroy|rm|rb|remove|purge)$/.test(textOf(verb) ?? "")),
        call.name ?? "",
      ),
  },
  {
    programs: ["gh", "glab"],
    what: "delete, delete-asset, and api with the method DELETE",
    examples: ["gh repo delete a/b --yes", "gh api -X DELETE /repos/a/b", "gh api --method=DELETE /repos/a/b"],
    find: ghDeletes,
  },
];

export { RULES as DELETING };

const BY_NAME = new Map(RULES.flatMap((rule) => rule.programs.map((name) => [name, rule] as const)));

export function deletes(call: Call): { at: Term; says: string } | undefined {
  if (call.name === undefined) return undefined;
  return BY_NAME.get(call.name.startsWith("mkfs.") ? "mkfs" : call.name)?.find(call);
}

function says(call: Call, at: Term | undefined, name: string): { at: Term; says: string } | undefined {
  if (at === undefined) return undefined;
  const text = textOf(at) ?? "";
  return { at, says: name.includes(" ") ? name : `${call.name} ${text}` };
}

/** Words before `--` that begin with a dash. */
function options(call: Call): Term[] {
  const end = call.args.findIndex((word) => textOf(word) === "--");
  return call.args.slice(0, end === -1 ? undefined : end).filter((word) => /^-./.test(headOf(word)));
}

function cluster(word: Term, letters: RegExp): boolean {
  const head = headOf(word);
  return /^-[^-]/.test(head) && letters.test(head.slice(1));
}

function long(word: Term, name: string, least: number): boolean {
  const head = headOf(word);
  return head.length >= least && head.startsWith("--") && name.startsWith(head);
}

/** The first words that are no options. */
function verbs(call: Call, count: number): Term[] {
  return call.args.filter((word) => !/^-/.test(headOf(word))).slice(0, count);
}

function word(call: Call, pattern: RegExp): Term | undefined {
  return call.args.find((one) => pattern.test(textOf(one) ?? ""));
}

/** The text of an argument such as `-cdrop table x` or `--command=drop table x`. */
function sqlOf(term: Term): string {
  const text = term.pieces.map((piece) => piece.text ?? "x").join("");
  return text.replace(/^(-[a-z]|--[a-z-]+=)/, " ");
}

function gitDeletes(call: Call): { at: Term; says: string } | undefined {
  const at = gitVerb(call);
  const verb = call.args[at];
  if (verb === undefined) return undefined;
  const name = textOf(verb) ?? "";
  const rest = call.args.slice(at + 1);
  const having = (pattern: RegExp) => rest.find((one) => pattern.test(headOf(one)));
  const found = (() => {
    switch (name) {
      case "clean":
        return having(/^(-[a-zA-Z]*n|--dry-run)/) === undefined ? verb : undefined;
      case "reset":
        return having(/^--hard$/);
      case "branch":
        return having(/^-[a-zA-Z]*D/) ?? (having(/^(-[a-zA-Z]*d|--delete)/) && having(/^(-[a-zA-Z]*f|--force)/));
      case "tag":
        return having(/^(-[a-zA-Z]*d|--delete)/);
      case "stash":
        return having(/^(drop|clear)$/);
      case "push":
        return having(/^(--force|-[a-zA-Z]*[fd]|--delete|--mirror|--prune|:.|\+.)/);
      default:
        return undefined;
    }
  })();
  return found === undefined
    ? undefined
    : { at: found, says: `git ${name} ${found === verb ? "" : (textOf(found) ?? "")}`.trim() };
}

function gitVerb(call: Call): number {
  for (let at = 0; at < call.args.length; at++) {
    const head = headOf(call.args[at]!);
    if (!head.startsWith("-")) return at;
    if (/^(-c|-C|--git-dir|--work-tree|--namespace)$/.test(head)) at++;
  }
  return -1;
}

function ghDeletes(call: Call): { at: Term; says: string } | undefined {
  const [first] = call.args;
  if (textOf(first ?? call.nameTerm) !== "api")
    return says(
      call,
      verbs(call, 3).find((verb) => /^delete(-|$)/.test(textOf(verb) ?? "")),
      call.name ?? "",
    );
  for (const [index, one] of call.args.entries()) {
    const text = textOf(one) ?? "";
    const method =
      /^(?:--method=|-X=?)(.+)$/.exec(text)?.[1] ??
      (/^(-X|--method)$/.test(text) ? textOf(call.args[index + 1] ?? one) : undefined);
    if (method?.trim().toUpperCase() === "DELETE") return { at: one, says: `${call.name} sends DELETE` };
  }
  return undefined;
}
