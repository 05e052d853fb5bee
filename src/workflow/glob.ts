// glob: the files that a watch matches: `inbox/*.json`, `data/**/*.csv` (spec 2.5). It does not read the disk.
//   G1. `*` and `?` match within one name, `**` matches any number of folders. A name that starts with a dot matches
//       only if the pattern has the dot.
//   G2. A pattern stays below the folder of its workflow file.
// Not supported: braces, classes and negation.

/** Why a pattern is invalid, as the end of a sentence; undefined if it is valid. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty";
  if (/^(?:\/|[A-Za-z]:|~)/.test(pattern)) return "does not begin in the document's folder";
  if (pattern.includes("\\")) return "has a backslash; folders are separated by /";
  if (/[[\]{}]/.test(pattern)) return "has brackets; only *, ** and ? are patterns, so write one entry each";
  if (pattern.startsWith("!")) return "begins with !; name the files that are meant";
  const parts = pattern.split("/");
  if (parts.includes("..")) return "leaves the document's folder";
  if (parts.some((part) => part === "")) return "has an empty part between two /";
  if (parts.some((part) => part.includes("**") && part !== "**"))
    return "has ** inside a name; it stands alone between two /";
  return undefined;
}

/** The pattern must be valid. Paths are relative to the workflow's folder, with `/`. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split("/").filter((part) => part !== ".");
  return (path) => matches(parts, path.split("/"), 0, 0);
}

/** The folders before the first wildcard. Empty: the workflow's folder itself. */
export function globBase(pattern: string): string {
  const parts = pattern.split("/").filter((part) => part !== ".");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  return parts.slice(0, first === -1 ? parts.length - 1 : first).join("/");
}

/** How many folders below its base a pattern reaches: Infinity with `**`. */
export function globDepth(pattern: string): number {
  const parts = pattern.split("/").filter((part) => part !== ".");
  if (parts.includes("**")) return Number.POSITIVE_INFINITY;
  const base = globBase(pattern);
  return parts.length - 1 - (base === "" ? 0 : base.split("/").length);
}

function matches(parts: readonly string[], names: readonly string[], part: number, name: number): boolean {
  if (part === parts.length) return name === names.length;
  if (parts[part] !== "**")
    return name < names.length && isName(parts[part]!, names[name]!) && matches(parts, names, part + 1, name + 1);
  // A `**` at the end matches files at any depth, never the folder itself.
  if (part === parts.length - 1) return name < names.length && names.slice(name).every((one) => !one.startsWith("."));
  for (let next = name; next <= names.length; next++) {
    if (matches(parts, names, part + 1, next)) return true;
    if (names[next]?.startsWith(".")) return false;
  }
  return false;
}

/** Only the last star is retried: the cost is at most the product of the lengths. */
function isName(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, from, star, tried] = [0, 0, -1, 0];
  while (at < name.length) {
    if (from < pattern.length && (pattern[from] === "?" || (pattern[from] !== "*" && pattern[from] === name[at]))) {
      at += 1;
      from += 1;
    } else if (pattern[from] === "*") {
      star = from;
      tried = at;
      from += 1;
    } else if (star >= 0) {
      from = star + 1;
      tried += 1;
      at = tried;
    } else return false;
  }
  while (pattern[from] === "*") from += 1;
  return from === pattern.length;
}
