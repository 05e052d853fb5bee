// import/curl-credentials: finds the credentials in a curl command, and rewrites the command without them. See curl.ts.

import { parseJson, percentDecoded } from "../../base/tolerant.ts";
import type { CurlOption, Request } from "../../shell/safety/index.ts";
import { hostOf, parameterOf, type Term, tail } from "../../shell/safety/index.ts";
import { brandOf } from "./pasted.ts";

export interface Credentials {
  /** The command, with credentials removed or replaced by names. */
  text: string;
  auth?: Record<string, string>;
  /** Names of secrets, without duplicates. */
  secrets: string[];
  /** The values that the command had. A name that the author wrote as `$NAME` has none. */
  values: ReadonlyMap<string, string>;
}

interface Edit {
  start: number;
  end: number;
  /** Absent: the words are removed. */
  text?: string;
}

const KEY_HEADER = /^(?:proxy-authorization|cookie|(?:[a-z0-9]+-)*(?:api-?key|key|token|secret|auth|authorization))$/i;
const FIELD =
  /^(?:client_?secret|password|passwd|pass|api_?key|key|access_?token|refresh_?token|private_?token|auth_?token|token|api_?secret|secret_?key|secret|signature|sig|auth)$/i;

/** `<token>`, `YOUR_API_KEY`, `xxxx`, `...`. A credential that only has such a word in it is a value. */
const PLACEHOLDER =
  /^(?:<.*>|\[.*\]|\{.*\}|%.*%|x{3,}|\*+|.*(?:\.\.\.|…)|.*\byour[\W_].*|(?:my[\W_]?)?(?:(?:api|access|secret|auth)[\W_]?)?(?:key|token|secret|password)|change[\W_]?me)$/i;

/** URLs that grant access to everyone who knows them. The credential is what follows the first group. */
const IN_PATH: readonly [RegExp, string][] = [
  [/^(https:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([^?#]+)/i, "SLACK_WEBHOOK"],
  [/^(https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/)([^/?#]+)/i, "DISCORD_WEBHOOK"],
  [/^(https:\/\/api\.telegram\.org\/(?:file\/)?bot)([^/?#]+)/i, "TELEGRAM_TOKEN"],
];

/** With an empty password, the user name is the key, as with Stripe: `-u sk_test_…:`. */
function isKey(login: string): boolean {
  return login.length >= 8;
}

/** `more`: other edits of the same command, except where a credential is edited. */
export function credentialsOf(requests: readonly Request[], command: string, more: readonly Edit[] = []): Credentials {
  const host = requests.flatMap(({ urls }) => hostOf(urls[0]?.pieces[0]?.text ?? "") ?? [])[0] ?? "";
  const lifter = new Lifter(command, brandOf(host));
  for (const { curl } of requests) {
    for (const option of curl?.options ?? []) lifter.option(option);
    for (const url of curl?.urls ?? []) lifter.url(url);
  }
  const { secrets, auth, edits, values } = lifter;
  const others = more.filter(({ start, end }) => !edits.some((edit) => start < edit.end && end > edit.start));
  return { text: edited(command, [...edits, ...others]), secrets, values, auth };
}

/** Collects the credentials of a command, and the edits that remove them. */
class Lifter {
  readonly secrets: string[] = [];
  readonly edits: Edit[] = [];
  readonly values = new Map<string, string>();
  auth: Record<string, string> | undefined;
  #command: string;
  #brand: string;

  constructor(command: string, brand: string) {
    this.#command = command;
    this.#brand = brand;
  }

  option(option: CurlOption): void {
    const text = option.value === undefined ? undefined : textWithNames(option.value);
    if (text === undefined) return;
    const { name } = option;
    if (name === "header" || name === "proxy-header") this.#header(option, text);
    else if (name === "user" || name === "proxy-user") this.#user(option, text);
    else if (name === "oauth2-bearer") {
      const token = this.#named(text, "API_TOKEN");
      this.#place(option, { type: "bearer", token }, token);
    } else if (name === "cookie" && text.includes("=")) {
      const value = this.#named(text, "COOKIE");
      this.#place(option, { type: "header", name: "Cookie", value }, value);
    } else if (/^(?:data|data-ascii|data-binary|data-raw|json|form|form-string|data-urlencode)$/.test(name))
      this.#body(option, text);
  }

  url(url: Term): void {
    const text = textWithNames(url);
    if (text === undefined) return;
    let lifted = text.replace(
      /^([a-z]+:\/\/)([^/@:]*)(?::([^/@]*))?@/i,
      (all, scheme: string, login: string, password?: string) => (this.#login(url, login, password) ? scheme : all),
    );
    for (const [place, name] of IN_PATH)
      lifted = lifted.replace(place, (all, before: string, value: string) =>
        value.startsWith("${") ? all : `${before}${this.#named(value, name)}`,
      );
    const [head = "", query] = lifted.split(/(?=\?)/, 2);
    if (query !== undefined) lifted = `${head}${this.#fields(query, "|uri")}`;
    if (lifted === text) return;
    const attached = url.start !== url.end && /^-/.test(this.#command.slice(url.start, url.end));
    this.edits.push({ start: url.start, end: url.end, text: `${attached ? "--url " : ""}${double(lifted)}` });
  }

  /** Returns `${NAME}`, and keeps a name that the author already used for it. */
  #named(value: string, plain: string, filter = ""): string {
    const own = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value)?.[1];
    const wanted = plain.replace(/^API_/, `${this.#brand}_`);
    let name = own ?? wanted;
    for (let n = 2; own === undefined && this.secrets.includes(name); n++) name = `${wanted}_${n}`;
    if (!this.secrets.includes(name)) this.secrets.push(name);
    // A value with other variables in it is not known, and a placeholder is not one.
    if (own === undefined && !value.includes("${") && !PLACEHOLDER.test(value))
      this.values.set(name, rawOf(value, filter));
    return `\${${name}${filter}}`;
  }

  /** The first credential becomes `auth`, and its option is removed if it is a separate word. */
  #signIn(found: Record<string, string>, option: CurlOption): boolean {
    if (this.auth !== undefined || !standsAlone(option)) return false;
    this.auth = found;
    this.edits.push({ start: option.at.start, end: option.value!.end });
    return true;
  }

  /** The credential becomes `auth`, or the option gets the `text` with its name. */
  #place(option: CurlOption, auth: Record<string, string> | undefined, text: string): void {
    if (auth === undefined || !this.#signIn(auth, option)) this.#rewrite(option, double(text));
  }

  #rewrite(option: CurlOption, value: string): void {
    const { at, value: word } = option;
    if (word !== undefined && word.start !== at.start)
      this.edits.push({ start: word.start, end: word.end, text: value });
    else if (standsAlone(option)) this.edits.push({ start: at.start, end: at.end, text: `--${option.name} ${value}` });
  }

  #header(option: CurlOption, text: string): void {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*?)\s*$/s.exec(text) ?? [];
    if (!KEY_HEADER.test(name) || value === "") return;
    const [, scheme = "", token = ""] = /^(Bearer|Basic|token)\s+(.+)$/i.exec(value) ?? [];
    const isOwn = /^authorization$/i.test(name) && option.name === "header";
    if (isOwn && /^bearer$/i.test(scheme)) {
      const secret = this.#named(token, "API_TOKEN");
      this.#place(option, { type: "bearer", token: secret }, `${name}: Bearer ${secret}`);
      return;
    }
    const [, login, password] = (/^basic$/i.test(scheme) && /^([^:]*):(.*)$/s.exec(base64(token))) || [];
    if (isOwn && login !== undefined && password !== undefined) {
      const secret = this.#named(password, "API_PASSWORD");
      if (this.#signIn({ type: "basic", username: literal(login), password: secret }, option)) return;
    }
    const secret = this.#named(scheme === "" ? value : token, secretName(name));
    const whole = scheme === "" ? secret : `${scheme} ${secret}`;
    const auth = option.name === "header" ? { type: "header", name, value: whole } : undefined;
    this.#place(option, auth, `${name}: ${whole}`);
  }

  #user(option: CurlOption, text: string): void {
    const [, login = "", password] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    if (password === undefined || (password === "" && !isKey(login))) return;
    const isOwn = option.name === "user";
    const isAlone = password === "";
    const plain = `${isOwn ? "API" : "PROXY"}_${isAlone ? "KEY" : "PASSWORD"}`;
    const secret = this.#named(isAlone ? login : password, plain);
    const username = isAlone ? secret : /^\$\{/.test(login) ? this.#named(login, "API_USER") : literal(login);
    const given = isAlone ? "" : secret;
    this.#place(option, isOwn ? { type: "basic", username, password: given } : undefined, `${username}:${given}`);
  }

  /** In JSON: string members with such a name. In forms: fields with such a name. */
  #body(option: CurlOption, text: string): void {
    if (/^\s*[{[]/.test(text)) {
      const lifted = text.replaceAll(
        /"([A-Za-z_]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
        (all, name: string, colon: string, value: string) =>
          FIELD.test(name) && value !== "" ? `"${name}"${colon}${this.#named(value, secretName(name), "|json")}` : all,
      );
      if (lifted !== text) this.#rewrite(option, text.includes("${") ? double(lifted) : single(lifted));
      return;
    }
    const isPlain = option.name.startsWith("form") || option.name === "data-urlencode";
    const lifted = this.#fields(text, isPlain ? "" : "|uri");
    if (lifted !== text) this.#rewrite(option, double(lifted));
  }

  #fields(text: string, filter: string): string {
    return text.replaceAll(/(^|[&?])([A-Za-z_-]+)=([^&#]+)/g, (all, before: string, name: string, value: string) =>
      FIELD.test(name.replaceAll("-", "_")) ? `${before}${name}=${this.#named(value, secretName(name), filter)}` : all,
    );
  }

  /** `https://login:password@host`. False if it has no credential. */
  #login(url: Term, login: string, written: string | undefined): boolean {
    const password = written === "" ? undefined : written;
    if (password === undefined && !isKey(login)) return false;
    const secret = this.#named(
      percentDecoded(password ?? login),
      password === undefined ? "API_TOKEN" : "API_PASSWORD",
    );
    const username = password === undefined ? secret : literal(percentDecoded(login));
    const found = { type: "basic", username, password: password === undefined ? "" : secret };
    if (this.auth === undefined && password !== undefined) this.auth = found;
    else this.edits.push({ start: url.end, end: url.end, text: ` --user ${double(`${username}:${found.password}`)}` });
    return true;
  }
}

/** The word's text, with shell variables as `${NAME}`; undefined if it contains anything else. */
function textWithNames(word: Term): string | undefined {
  let text = "";
  for (const { text: known, dynamic } of word.pieces) {
    const name = dynamic === undefined ? undefined : parameterOf(dynamic);
    if (name !== undefined && /^[A-Za-z_]/.test(name)) text += `\${${name}}`;
    else if (known === undefined || dynamic !== undefined || known.includes("${")) return undefined;
    else text += known;
  }
  return text;
}

/** Whether the option is a word without other options: `-H x`, `-Hx` or `--header=x`, but not the `H` of `-sSH`. */
function standsAlone({ name, at, value }: CurlOption): boolean {
  const written = at.pieces[0]?.text ?? "";
  if (value !== undefined && value.start !== at.start) return written.startsWith("--") || written.length === 2;
  return written.startsWith("--")
    ? written.startsWith(`--${name}=`)
    : tail(at, 2).pieces.length > 0 && /^-[A-Za-z]/.test(written) && LETTER[written[1]!] === name;
}
const LETTER: Record<string, string> = { H: "header", u: "user", U: "proxy-user", b: "cookie", d: "data", F: "form" };

/** The value as it is, from the way it is written in JSON or in a URL. */
function rawOf(value: string, filter: string): string {
  if (filter === "|uri") return percentDecoded(value.replaceAll("+", " "));
  if (filter !== "|json") return value;
  return String(parseJson(`"${value}"`) ?? value);
}

function base64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** `X-Api-Key` → `API_KEY`. */
function secretName(name: string): string {
  const plain = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^X_/, "")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z]/.test(plain) ? plain : "API_KEY";
}

/** Escapes text for a field whose values are templates. */
function literal(text: string): string {
  return text.replaceAll("${", "$${");
}

/** In double quotes; `${NAME}` stays as it is. */
function double(text: string): string {
  return `"${text.replaceAll(/["`\\]|\$(?!\{[A-Za-z_])/g, "\\$&")}"`;
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Removing a word also removes the blanks and line continuations before it. */
function edited(command: string, edits: readonly Edit[]): string {
  let result = command;
  for (const { start, end, text } of [...edits].sort((a, b) => b.start - a.start || b.end - a.end)) {
    const before = result.slice(0, start);
    const kept = text === undefined ? before.replace(/(?:[ \t]|\\\r?\n)+$/, "") : before;
    result = `${kept}${text ?? ""}${result.slice(end)}`;
  }
  return result;
}
