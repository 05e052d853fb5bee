// file-names: what a new document's file is called. Pure.

/** `Open issues!` → `open-issues.flow.yaml`; what has the extension keeps it. Empty where nothing of it can stand in a name. */
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

/** The `name:` of a document's text, as it stands there. */
export function nameIn(text: string): string {
  return (/^name:[ \t]*(.*?)[ \t]*$/m.exec(text)?.[1] ?? "").replace(/^(["'])(.*)\1$/, "$2");
}
