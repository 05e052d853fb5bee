// options: the command line of `curlew http`, as one table that both the quick reader (here) and the help and completions
// (program-http.ts) are made of (spec 3.6, 2.2).
//   O1. One spelling an option. What people write out of habit from curl is answered with the word for it here.
//   O2. Nothing that is a secret is taken from the command line: it stands in the process list (spec 3.6).
// Deliberately absent: `--insecure`. A CA of one's own is given by --cacert.

import { didYouMean } from "../../workflow/nearest.ts";
import { type HttpProblem, usage } from "./problem.ts";

type Kind = "flag" | "text" | "many" | "maybe";

interface OptionSpec {
  key: keyof HttpOptions;
  long: string;
  short?: string;
  /** What stands for its value in the help; absent for flags. */
  value?: string;
  kind: Kind;
  about: string;
}

export interface HttpOptions {
  method: string;
  url: string;
  header?: string[];
  query?: string[];
  data?: string[];
  json?: string;
  form?: string[];
  graphql?: string | true;
  variables?: string;
  output?: string;
  include?: true;
  noFail?: true;
  auth?: string;
  sign?: string;
  signSecret?: string;
  retry?: string;
  retryDelay?: string;
  retryMaxTime?: string;
  retryUnsafe?: true;
  paginate?: string;
  items?: string;
  lines?: true;
  cursor?: string;
  pageParam?: string;
  stop?: string[];
  maxPages?: string;
  maxTime?: string;
  connectTimeout?: string;
  maxRedirs?: string;
  maxFilesize?: string;
  compressed?: true;
  cacert?: string;
  cert?: string;
  key?: string;
  http11?: true;
  plainHttp?: true;
}

export const HTTP_OPTIONS: readonly OptionSpec[] = [
  text(
    "header",
    "--header",
    "<line>",
    "send a header, `Name: value`; `Name:` leaves one out; @FILE or @- reads lines",
    "-H",
    "many",
  ),
  text(
    "query",
    "--query",
    "<name=value>",
    "add a parameter to the URL, percent-encoded; repeat for more",
    undefined,
    "many",
  ),
  text(
    "data",
    "--data",
    "<data>",
    "the body; @FILE or @- sends exactly those bytes; repeated ones are joined by &",
    "-d",
    "many",
  ),
  text("json", "--json", "<data>", "the same, as application/json"),
  text(
    "form",
    "--form",
    "<name=value>",
    "a field of a multipart form; name=@FILE sends a file, name=<FILE its text",
    "-F",
    "many",
  ),
  {
    ...text(
      "graphql",
      "--graphql",
      "[query]",
      "a GraphQL request: the query, or @FILE; variables, or else the whole { query, variables }, from stdin",
    ),
    kind: "maybe",
  },
  text("variables", "--variables", "<json>", "variables of the GraphQL query, when not from stdin; @FILE"),
  text("output", "--output", "<file>", "write the body to a file, which is there only when it is complete", "-o"),
  flag("include", "--include", "print the status line and the headers of the answer before the body", "-i"),
  flag("noFail", "--no-fail", "an HTTP status of 400 and more is no failure"),
  text(
    "auth",
    "--auth",
    "<name>",
    "sign in by the node's `auth: NAME`, an entry of config.yaml, or bearer=VAR, basic=VAR,VAR, header:NAME=VAR of the environment",
  ),
  text("sign", "--sign", "<kind>", "sign as a webhook: github, stripe, slack, standard-webhooks, token"),
  text(
    "signSecret",
    "--sign-secret",
    "<var>",
    "the variable that holds the secret to sign with (default: WEBHOOK_SECRET)",
  ),
  text("retry", "--retry", "<n>", "try again up to so many times what may pass by itself; Retry-After is kept"),
  text("retryDelay", "--retry-delay", "<time>", "the first wait, which doubles up to 60 s (default: 1s)"),
  text("retryMaxTime", "--retry-max-time", "<time>", "try no more after this time"),
  flag("retryUnsafe", "--retry-unsafe", "also POST and PATCH, which may then be done twice"),
  text("paginate", "--paginate", "<how>", "follow the pages: link, page, cursor, offset"),
  text(
    "items",
    "--items",
    "<path>",
    "where a page's items are, such as data.items; they are printed as one JSON array",
  ),
  flag("lines", "--lines", "print one item a line instead"),
  text("cursor", "--cursor", "<path>", "where a page names the next cursor (default: the usual names)"),
  text("pageParam", "--page-param", "<name>", "the parameter that asks for a page (default: page, offset, cursor)"),
  text(
    "stop",
    "--stop",
    "<rule>",
    "the page after which to stop: empty, PATH or PATH=VALUE; repeat for more",
    undefined,
    "many",
  ),
  text("maxPages", "--max-pages", "<n>", "at most so many pages; without it, more than 1000 are an error"),
  text("maxTime", "--max-time", "<time>", "end the call after this time, each try by itself", "-m"),
  text("connectTimeout", "--connect-timeout", "<time>", "time for connecting (default: 30s)"),
  text(
    "maxRedirs",
    "--max-redirs",
    "<n>",
    "how many redirects are followed (default: 10; 0: none, the answer is given as it is)",
  ),
  text("maxFilesize", "--max-filesize", "<size>", "refuse an answer that is larger, such as 10MB"),
  flag("compressed", "--compressed", "ask for a compressed answer, and unpack it"),
  text("cacert", "--cacert", "<file>", "trust the certificates in this PEM file, and no others"),
  text("cert", "--cert", "<file>", "client certificate (PEM)"),
  text("key", "--key", "<file>", "its private key, when it is not in the same file"),
  flag("http11", "--http1.1", "do not use HTTP/2"),
  flag("plainHttp", "--plain-http", "allow http:// to other machines; not in a safe node"),
];

function text(
  key: keyof HttpOptions,
  long: string,
  value: string,
  about: string,
  short?: string,
  kind: Kind = "text",
): OptionSpec {
  return { key, long, value, about, kind, ...(short === undefined ? {} : { short }) };
}

function flag(key: keyof HttpOptions, long: string, about: string, short?: string): OptionSpec {
  return { key, long, about, kind: "flag", ...(short === undefined ? {} : { short }) };
}

/** O1. */
const HABITS: Readonly<Record<string, string>> = {
  "-X": "The method is the first word: curlew http POST URL.",
  "--request": "The method is the first word: curlew http POST URL.",
  "-k": "Certificates are always checked. Give the CA that signed it: --cacert FILE.",
  "--insecure": "Certificates are always checked. Give the CA that signed it: --cacert FILE.",
  "-u": "A password does not belong on a command line: --auth basic=USER,PASSWORD names the variables that hold them.",
  "--user":
    "A password does not belong on a command line: --auth basic=USER,PASSWORD names the variables that hold them.",
  "--oauth2-bearer": "A token does not belong on a command line: --auth bearer=TOKEN names the variable that holds it.",
  "-L": "Redirects are followed by themselves; --max-redirs 0 leaves them alone.",
  "--location": "Redirects are followed by themselves; --max-redirs 0 leaves them alone.",
  "-f": "An HTTP error is a failure by itself; --no-fail makes it none.",
  "--fail": "An HTTP error is a failure by itself; --no-fail makes it none.",
  "--fail-with-body": "An HTTP error is a failure by itself, and its body is printed.",
  "-s": "There is no progress to be silent about: leave it out.",
  "-sS": "There is no progress to be silent about: leave it out.",
  "--silent": "There is no progress to be silent about: leave it out.",
  "--show-error": "Errors are always shown: leave it out.",
  "-G": "Parameters of the URL are given by --query name=value.",
  "--get": "Parameters of the URL are given by --query name=value.",
  "--data-urlencode": "Parameters of the URL are given by --query name=value.",
  "--data-binary": "-d @FILE sends exactly those bytes.",
  "--data-raw": "-d sends the text as it is, unless it begins with @.",
  "-T": "-d @FILE sends exactly those bytes.",
  "-I": "curlew http HEAD URL --include prints the headers.",
  "-w": "curlew runs show shows status and times of a node's calls; --include prints status and headers.",
  "-n": "Say auth: { type: netrc } on the node.",
};

const BY_NAME = new Map(
  HTTP_OPTIONS.flatMap((spec) =>
    [spec.long, spec.short].flatMap((name) => (name === undefined ? [] : [[name, spec] as const])),
  ),
);

/** Throws `HttpProblem` with exit code 2. */
export function readOptions(words: readonly string[]): HttpOptions {
  const found: Record<string, unknown> = Object.create(null);
  const rest: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      rest.push(...left.splice(0));
    } else if (word.startsWith("-") && word !== "-") {
      readOption(word, left, found);
    } else rest.push(word);
  }
  const [method, url, ...more] = rest;
  if (method === undefined || url === undefined)
    throw usage(
      "missing-argument",
      '"curlew http" needs METHOD and URL.',
      "curlew http GET https://api.example.com/items",
    );
  if (more.length > 0)
    throw usage(
      "too-many-arguments",
      `"curlew http" takes METHOD and URL, and no "${more[0]}".`,
      "Quote a value that has blanks in it.",
    );
  return { ...found, method: methodOf(method), url } as HttpOptions;
}

function methodOf(word: string): string {
  if (/^[A-Za-z]{1,20}$/.test(word) && word.toUpperCase() !== "CONNECT") return word.toUpperCase();
  throw usage("bad-method", `"${word}" is no HTTP method.`, "curlew http GET https://api.example.com/items");
}

function readOption(word: string, left: string[], found: Record<string, unknown>): void {
  const [name, attached] = splitWord(word);
  const spec = BY_NAME.get(name);
  if (spec === undefined) throw unknown(name);
  if (spec.kind === "flag") {
    if (attached !== undefined) throw usage("excess-value", `The option "${name}" takes no value.`);
    found[spec.key] = true;
    return;
  }
  if (spec.kind === "maybe") {
    const taken = attached ?? (left[0] !== undefined && looksLikeQuery(left[0]) ? left.shift() : undefined);
    found[spec.key] = taken ?? true;
    return;
  }
  const value = attached ?? left.shift();
  if (value === undefined) throw usage("missing-value", `The option "${name}" needs a value: ${name} ${spec.value}.`);
  if (spec.kind === "many") found[spec.key] = [...((found[spec.key] as string[]) ?? []), value];
  else found[spec.key] = value;
}

/** `--name=value`, `-Hvalue`. */
function splitWord(word: string): [string, string | undefined] {
  if (word.startsWith("--")) {
    const at = word.indexOf("=");
    return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  }
  const short = word.slice(0, 2);
  return word.length > 2 && BY_NAME.get(short)?.kind !== undefined && BY_NAME.get(short)?.kind !== "flag"
    ? [short, word.slice(2)]
    : [word, undefined];
}

/** Whether a word is the query, not the URL. */
function looksLikeQuery(word: string): boolean {
  return /^\s*(?:@|#|\{|(?:query|mutation|subscription|fragment)\b)/.test(word);
}

function unknown(name: string): HttpProblem {
  const habit = Object.hasOwn(HABITS, name) ? HABITS[name] : undefined;
  const meant = habit === undefined && name.startsWith("--") ? didYouMean(name, [...BY_NAME.keys()]) : "";
  return usage(
    "unknown-option",
    `"curlew http" has no option "${name}".${meant}`,
    habit ?? '"curlew http --help" shows what there is.',
  );
}
