// curl: a pasted curl command becomes a node, its credentials lifted out (spec 2.3; src/workflow/import/curl.ts does the reading).

import {
  addNode,
  type Edit,
  nodesOf,
  openDoc,
  type Plain,
  type Point,
  setDocumentField,
  together,
} from "../document/index.ts";

export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl\s+\S/.test(text) && text.length < 100_000;
}

/** Loads the shell parser when somebody pastes. */
export async function curlEdit(
  text: string,
  options: { at?: Point; after?: { source: string; handle?: string } },
): Promise<{ edit: Edit; told: readonly string[] } | { error: string }> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = await workflowOfCurl(text);
  if (!made.ok) return { error: made.error.message };
  const doc = openDoc(made.value.text, "pasted.flow.yaml").plain ?? {};
  const [node] = nodesOf(doc);
  if (node === undefined) return { error: "This curl command cannot be imported." };
  const data = node.data ?? {};
  const title = titleFor(String(data.content ?? ""), made.value.name);
  const add = addNode({ type: "cli", data: { ...data, title }, ...options });
  const secrets = Array.isArray(doc.secrets) ? (doc.secrets as string[]) : [];
  return {
    edit: together(`Paste ${title}`, secrets.length === 0 ? [add] : [add, withSecrets(secrets)]),
    told: made.value.told,
  };
}

/** "GET /users": method and path. */
export function titleFor(content: string, name: string): string {
  const method = /^[a-z]+/.exec(name)?.[0].toUpperCase() ?? "";
  const url = /\bhttps?:\/\/[^\s"'?#]+/.exec(content)?.[0];
  const path = url?.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "") ?? "";
  const host = url?.replace(/^https?:\/\/(?:[^/@]*@)?/, "").replace(/[/:].*$/, "") ?? "";
  return `${method === "CALL" || method === "" ? "GET" : method} ${path === "" ? host || "with curl" : path}`.slice(
    0,
    80,
  );
}

function withSecrets(names: readonly string[]): Edit {
  return {
    label: "Name the secrets",
    apply(plain: Plain, doc) {
      const known = Array.isArray(plain.secrets) ? (plain.secrets as unknown[]) : [];
      const next = [...known, ...names.filter((name) => !known.includes(name))];
      return setDocumentField(["secrets"], next).apply(plain, doc);
    },
  };
}
