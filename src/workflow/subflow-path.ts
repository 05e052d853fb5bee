// subflow-path: resolves the path of a subflow's file relative to the root workflow (spec 2.7).

/** The path of `workflow`, as named by a subflow node in `file`, in the same form as the root's path. */
export function subflowPath(file: string, workflow: string): string {
  const folder =
    file.includes("/") || !file.includes("\\") ? file.split("/").slice(0, -1) : file.split("\\").slice(0, -1);
  const isRooted = folder[0] === "";
  const parts = isRooted ? folder.slice(1) : folder;
  const joined: string[] = [];
  for (const part of [...parts, ...workflow.split("/")]) {
    if (part === "" || part === ".") continue;
    if (part === ".." && joined.length > 0 && joined.at(-1) !== "..") joined.pop();
    else if (part !== ".." || !isRooted) joined.push(part);
  }
  return (isRooted ? "/" : "") + joined.join("/");
}
