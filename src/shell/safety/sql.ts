// safety/sql: finds SQL that deletes: drop, truncate, delete without where. It ignores comments and quoted text.

/** The word that deletes, for a message; undefined without one. */
export function deletingSql(text: string): string | undefined {
  for (const statement of plain(text).split(";")) {
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
function plain(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g, (found) =>
    /^["']/.test(found) ? `${found[0]}${found[0]}` : " ",
  );
}
