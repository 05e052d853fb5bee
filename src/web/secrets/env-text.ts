// env-text: the entries of a pasted .env file.

const ENTRY =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\r\n#'"]*?))[ \t]*(?:#[^\r\n]*)?\r?$/gm;

/** Empty if the text has other lines. Entries without a value are left out. */
export function envEntries(text: string): Map<string, string> {
  const rest = text.replaceAll(ENTRY, "").replaceAll(/^[ \t]*(?:#[^\r\n]*)?\r?$/gm, "");
  if (rest.trim() !== "") return new Map();
  const entries = [...text.matchAll(ENTRY)].map(([, name = "", double, single, bare = ""]): [string, string] => [
    name,
    double?.replaceAll(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char)) ?? single ?? bare,
  ]);
  return new Map(entries.filter(([, value]) => value !== ""));
}
