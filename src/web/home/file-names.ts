// file-names: builds file names for new workflows. Pure.

/** `Open issues!` → `open-issues.flow.yaml`. An existing extension is kept. Empty if no character can be used. */
export function fileNameFor(name: string): string {
  const wanted = name.trim();
  if (/\.flow\.ya?ml$/.test(wanted)) return wanted;
  const folders = wanted.split("/").map((part) =>
    part
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}._]+/gu, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, ""),
  );
  const slug = folders.filter((part) => part !== "").join("/");
  return slug === "" ? "" : `${slug}.flow.yaml`;
}

/** `a.flow.yaml`, then `a-2.flow.yaml`, `a-3.flow.yaml`. */
export function nextName(path: string, tries: number): string {
  return tries < 2 ? path : path.replace(/(\.flow\.ya?ml)$/, `-${tries}$1`);
}

/** The text of the n-th new workflow: `Untitled`, `Untitled 2`. */
export function emptyText(nth: number): string {
  return `curlew: 1\nname: Untitled${nth < 2 ? "" : ` ${nth}`}\nnodes: []\n`;
}

/** The `name:` in the text of a workflow, as written. */
export function nameIn(text: string): string {
  return (/^name:[ \t]*(.*?)[ \t]*$/m.exec(text)?.[1] ?? "").replace(/^(["'])(.*)\1$/, "$2");
}
