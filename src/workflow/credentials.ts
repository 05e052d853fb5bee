// credentials: finds literal credentials in text where a secret belongs: after Authorization:, after curl -u, in a URL
// (spec 4.2).
//   C1. A finding covers exactly the credential, so that it can be hidden and located.
//   C2. Templates, variables and placeholders (${TOKEN}, $TOKEN, <token>, YOUR_KEY, xxxx) are not credentials.
//   C3. Pure and fast: 1 MB of text takes a few milliseconds. secrets/scan.ts knows the formats of single vendors.
// Not done here: guessing by randomness alone, because a checksum is not a secret.

export interface Credential {
  /** Offsets in the text; `end` is exclusive. */
  start: number;
  end: number;
  /** Its name in messages: `a bearer token`. */
  kind: string;
  /** It looks like a real credential; otherwise only its position suggests one. */
  certain: boolean;
}

/** Findings by position and by format, sorted, without overlaps. */
export function findCredentials(text: string): Credential[] {
  if (!CLUE.test(text)) return [];
  const found: Credential[] = [];
  for (const { pattern, kind, only } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const raw = match.groups?.value ?? "";
      const value = raw.replace(/^(?:\s|\\n)+|(?:\s|\\n)+$/g, "");
      const start = (match.indices?.groups?.value?.[0] ?? match.index) + raw.indexOf(value);
      const secret = only === "basic" ? basicPassword(value) : value;
      if (secret === undefined || isPlaceholder(secret)) continue;
      const certain = looksReal(secret) || kind === KEY_BLOCK;
      if (only === "certain" && !certain) continue;
      found.push({ start, end: start + value.length, kind, certain });
    }
  }
  found.push(...ofCurl(text));
  return withoutOverlap(found);
}

/** The text with every credential replaced by stars of the same length; newlines stay. `credentials` must be sorted. */
export function covered(text: string, credentials: readonly { start: number; end: number }[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of credentials) {
    result += text.slice(from, start) + text.slice(start, end).replace(/[^\r\n]/g, "*");
    from = end;
  }
  return result + text.slice(from);
}

/** For text that was not checked closely: also covers everything that starts like a known token. */
export function shownText(text: string): string {
  return covered(text, withoutOverlap([...findCredentials(text), ...shaped(text)]));
}

/** A message about that text, with the same words covered. */
export function shownSentence(sentence: string, text: string): string {
  return [...findCredentials(text), ...shaped(text)]
    .map(({ start, end }) => text.slice(start, end))
    .sort((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(word, "*".repeat(word.length)), sentence);
}

function shaped(text: string): Credential[] {
  return [...text.matchAll(SHAPE)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    kind: "a token",
    certain: false,
  }));
}
const SHAPE =
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|sk-|[sr]k_(?:live|test)_|npm_|hf_|gsk_|SG\.|AKIA|ASIA|dckr_pat_|hv[sbr]\.|glc_|glsa_|shp[a-z]{2}_|lin_api_|ntn_|figd_|tskey-|dapi)[\w.+/=-]{12,}/g;

/** Sorts and removes overlaps. The shorter of two stays, because the longer would hide more than the secret. */
export function withoutOverlap(found: readonly Credential[]): Credential[] {
  const kept: Credential[] = [];
  const length = ({ start, end }: Credential) => end - start;
  for (const one of [...found].sort((a, b) => a.start - b.start || length(a) - length(b))) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= one.start) {
      kept.push({ ...one });
      continue;
    }
    const certain = last.certain || one.certain;
    // For equal ranges, the more certain finding gives its name.
    const shorter = length(one) < length(last) || (length(one) === length(last) && one.certain) ? one : last;
    kept[kept.length - 1] = { ...shorter, certain };
  }
  return kept;
}

const KEY_BLOCK = "a private key";
/** Ends at a quote, a space, or a character that ends a template or URL. */
const WORD = String.raw`(?<value>[^\s"'\\\x60,;&#]{4,})`;
const HEADER = String.raw`(?:-H|--header)[\s=]*\\*["']?`;
const FIELD =
  "client_?secret|clientSecret|password|passwd|api_?key|apiKey|access_?token|accessToken|refresh_?token|refreshToken|private_?token|auth_?token|authToken|api_?secret|secret_?key|secretKey";

interface Rule {
  pattern: RegExp;
  kind: string;
  /** `certain`: reported only if it looks real, because the position alone is weak evidence. */
  only?: "certain" | "basic";
}

const RULES: readonly Rule[] = [
  {
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----(?<value>[\sA-Za-z0-9+/=\\]{64,20000}?)-----END/dg,
    kind: KEY_BLOCK,
  },
  {
    pattern: rule(String.raw`\b(?:Proxy-)?Authorization\\*["']?\s*[:=]\s*\\*["']?(?:Bearer|token)\s+${WORD}`),
    kind: "a bearer token",
    only: "certain",
  },
  {
    pattern: rule(String.raw`${HEADER}(?:Proxy-)?Authorization\s*:\s*(?:Bearer|token)\s+${WORD}`),
    kind: "a bearer token",
  },
  {
    pattern: rule(String.raw`\b(?:Proxy-)?Authorization\\*["']?\s*[:=]\s*\\*["']?Basic\s+${WORD}`),
    kind: "a user name and password (Basic)",
    only: "basic",
  },
  {
    pattern: rule(
      String.raw`${HEADER}(?:[A-Za-z]+-){0,5}(?:Api-?Key|Token|Secret|Subscription-Key|Access-Key|Auth-Key)\s*:\s*${WORD}`,
    ),
    kind: "an API key in a header",
  },
  {
    pattern: rule(String.raw`${HEADER}Cookie\s*:\s*[\w-]*(?:session|sid|token|auth)[\w-]*=${WORD}`),
    kind: "a session cookie",
    only: "certain",
  },
  {
    pattern: /:\/\/[^\s/:@"'`<>]{0,256}:(?<value>[^\s/@"'`<>]{2,256})@/dg,
    kind: "a password in an address",
  },
  {
    pattern: /:\/\/(?<value>[^\s/:@"'`<>]{16,256})(?::[\w-]{0,20})?@/dg,
    kind: "a token in an address",
    only: "certain",
  },
  {
    pattern: rule(String.raw`["'](?:${FIELD})\\*["']\s*:\s*\\*["']${WORD}`),
    kind: "a password or key in a body",
  },
  {
    pattern: rule(String.raw`[?&"'\s](?:${FIELD})=${WORD}`),
    kind: "a password or key in a body or address",
  },
  {
    pattern: rule(`[?&](?:key|token|sig|signature|auth|secret)=${WORD}`),
    kind: "a key in an address",
    only: "certain",
  },
  { pattern: /\b(?<value>eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000})/dg, kind: "a signed token (JWT)" },
];

function rule(source: string): RegExp {
  return new RegExp(source, "dgi");
}

/** A fast check: no rule can match without one of these. */
const CLUE = new RegExp(
  String.raw`PRIVATE KEY-|Authorization|:\/\/|eyJ|curl|[?&](?:key|token|sig|auth|secret)|Key|Token|Secret|Cookie|${FIELD}`,
  "i",
);

/** `Basic` contains `name:password` in base64. */
function basicPassword(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{6,}={0,2}$/.test(value)) return undefined;
  try {
    return /^[^:]*:(.+)$/s.exec(atob(value))?.[1];
  } catch {
    return undefined;
  }
}

/** Options of curl that take a secret, anywhere in one curl command. */
function ofCurl(text: string): Credential[] {
  const found: Credential[] = [];
  for (const command of text.matchAll(/\bcurl(?:\.exe)?\b(?:\\\r?\n|[^\n;|])*/g)) {
    for (const match of command[0].matchAll(CURL_OPTION)) {
      const value = match.groups?.bearer ?? match.groups?.password ?? "";
      const [from] = match.indices?.groups?.[match.groups?.bearer === undefined ? "password" : "bearer"] ?? [0];
      if (isPlaceholder(value) || /^\d+$/.test(value)) continue;
      const start = command.index + from;
      const kind = match.groups?.bearer === undefined ? "a password on curl's command line" : "a bearer token";
      found.push({ start, end: start + value.length, kind, certain: looksReal(value) });
    }
  }
  return found;
}
const CURL_OPTION =
  /\s(?:(?:-[a-zA-Z]*[uU]|--user|--proxy-user|--tlsuser)[\s=]*\\?["']?[^\s"':$\\]+:(?<password>[^\s"'\\`]{2,})|--oauth2-bearer[\s=]+\\?["']?(?<bearer>[^\s"'\\`]{4,}))/dg;

/** C2. Also matches words that describe themselves as placeholders. */
export function isPlaceholder(value: string): boolean {
  if (/[$<>{}%*…]|\.\.\./.test(value)) return true;
  const plain = value.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (new Set(plain).size <= 3 || /^(?:0?123456789?0?|abcdef\w*|qwerty\w*)$/.test(plain)) return true;
  return SAYS_SO.test(value) && !(looksReal(value) && value.length >= 30);
}
const SAYS_SO =
  /x-oauth-basic|x-token-auth|your|example|placeholder|change-?_?me|replace|insert|redacted|dummy|fake|sample|demo|test|todo|secret|password|passwd|token|api-?_?key|xxx|foo|\bnone\b|\bnull\b|\btrue\b|\bfalse\b|string|required|value/i;

/** Long, with letters and digits that do not form words. */
export function looksReal(value: string): boolean {
  if (value.length < 16) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(value)).length;
  const words = value.split(/[^A-Za-z0-9]+/).every((part) => /^(?:[A-Za-z]?[a-z]*|[A-Z]*|\d{1,4})$/.test(part));
  return kinds >= 2 && !words && new Set(value).size >= 8;
}

/** Names of fields and variables for secrets. */
export const SECRET_NAME =
  /(?:^|[_-]|[a-z](?=[A-Z]))(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|AUTH_?KEY|CREDENTIALS?|PAT)$/i;

/** Whether the name of a variable says that it holds a secret. `PUBLIC_KEY` does not. */
export function soundsSecret(name: string): boolean {
  return SECRET_NAME.test(name) || /(?<!PUBLIC)(?:^|_)KEY$/i.test(name);
}

export function isSecretField(name: string): boolean {
  return SECRET_NAME.test(name);
}
