// check/foreign-names: finds values that are named as in another tool: `${{ … }}`, `{{ … }}`, `$json.x`,
// `steps.x.outputs.y` (spec 8.4).
//   F1. `{{ … }}` in a command may belong to a template of the program (docker, kubectl, gh). Found there are names
//       alone, ids of nodes, and words that these do not have.

export interface ForeignName {
  start: number;
  end: number;
  seen: string;
  tool: string;
  /** The same value in Curlew, if it is certain. */
  meant?: string;
  help: string;
}

const ACTIONS = "GitHub Actions";
const N8N = "n8n";
const HELP =
  "Write ${ID} for the value of a node, ${ID.member} for a part of it, and ${NAME} for an input, a secret or a Variable.";

const DOUBLE = /\$?\{\{\s*([^{}]*?)\s*\}\}/g;
const OUTPUTS = /\b(?:steps|needs|jobs)\.([A-Za-z_][\w-]*)\.outputs?(?:\.([A-Za-z_][\w-]*))?/g;
const OF_N8N = /\$(?:json|node)\b(?:\.[A-Za-z_][\w.]*|\[["'][^"']*["']\][\w.]*)/g;

/** `isScript`: a shell reads the text. `isNode`: whether a node has that id. */
export function foreignNames(text: string, isScript: boolean, isNode: (id: string) => boolean): ForeignName[] {
  const names: ForeignName[] = [];
  const add = (match: RegExpExecArray, tool: string, meant: string | undefined): void => {
    const [start, end] = [match.index, match.index + match[0].length];
    if (names.every((one) => end <= one.start || one.end <= start))
      names.push({ start, end, seen: match[0], tool, meant, help: HELP });
  };
  if (text.includes("{{"))
    for (const match of text.matchAll(DOUBLE)) {
      const inner = match[1] ?? "";
      const isActions = match[0].startsWith("$");
      if (
        !isActions &&
        (isScript
          ? !OWN_WORDS.test(inner) && !PLAIN.test(inner) && !isNode(/^\w+/.exec(inner)?.[0] ?? "")
          : !/^\$?[A-Za-z_][\w.\-[\]"'$ ]*$/.test(inner))
      )
        continue;
      add(match, isActions ? ACTIONS : OF_ANY.test(inner) ? N8N : "another tool", meaningOf(inner, isNode));
    }
  for (const match of text.matchAll(OUTPUTS)) add(match, ACTIONS, meaningOf(match[0], isNode));
  // In a script `$json.id` may be a variable of the shell or of jq.
  if (!isScript || !/(?<![-$\w./])json\b|\bas \$json\b/.test(text))
    for (const match of text.matchAll(OF_N8N)) add(match, N8N, meaningOf(match[0], isNode));
  return names;
}

const OF_ANY = /\$(?:json|node|input|item)\b/;
/** A name alone, and no word of Go's templates. */
const PLAIN = /^(?!(?:end|else|if|with|range|break|continue|tablerender)\b)[A-Za-z_][\w-]*$/;
const OWN_WORDS = /^(?:\$(?:json|node|input|item)\b|(?:steps|needs|secrets|inputs|vars|env|github|nodes|matrix)\.)/;

/** `secrets.TOKEN` is `${TOKEN}`, `steps.fetch.outputs.id` is `${fetch.id}`, `$json.id` is `${1.id}`. */
function meaningOf(inner: string, isNode: (id: string) => boolean): string | undefined {
  const [, named] = /^(?:secrets|inputs|vars|env)\.([A-Za-z_]\w*)$/.exec(inner) ?? [];
  if (named !== undefined) return `\${${named}}`;
  const [, id, member] = /^(?:steps|needs|jobs)\.([A-Za-z_]\w*)\.outputs?(?:\.([A-Za-z_][\w-]*))?$/.exec(inner) ?? [];
  if (id !== undefined && isNode(id)) return member === undefined ? `\${${id}}` : `\${${id}.${member}}`;
  const [, ofParent] = /^\$json((?:\.[A-Za-z_]\w*)+)$/.exec(inner) ?? [];
  if (ofParent !== undefined) return `\${1${ofParent}}`;
  if (/^[1-9]\d*(?:\.[A-Za-z_]\w*)*$/.test(inner)) return `\${${inner}}`;
  const [root = ""] = /^[A-Za-z_]\w*/.exec(inner) ?? [];
  return isNode(root) && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(inner) ? `\${${inner}}` : undefined;
}
