// subflow: the path of a workflow file, relative to the folder of the workflow that uses it, with slashes (spec 1.2).

/** `from` and `to` are paths in the served folder. */
export function relativeWorkflow(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/** The inverse: the path in the served folder. */
export function resolvedWorkflow(from: string, name: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
