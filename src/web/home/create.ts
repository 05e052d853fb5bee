// create: writes a new workflow file to the served folder, and gives it another name while it is new. A taken name gets
// a number; no file is ever overwritten.

import { useNavigate } from "@tanstack/react-router";
import { at } from "../../api/address.ts";
import type { ImportResult, Page, RunItem, WorkflowDocument } from "../../api/shapes.ts";
import { isCurl } from "../../workflow/import/pasted.ts";
import { ask, ownProblem, Refusal } from "../client/api.ts";
import { keys, problemOf, queryClient, workflowListQuery } from "../client/queries.ts";
import { withFreeNames } from "../secrets/pending.ts";
import { namesWithValue } from "../secrets/queries.ts";
import { toast } from "../ui/toast.tsx";
import { emptyText, fileNameFor, nameIn, nextName } from "./file-names.ts";

const triesMax = 20;
const TAKEN: ReadonlySet<number> = new Set([409, 412]);

/** Writes under the path, or the first free name with a number. Known names are not tried. */
async function underFreeName(
  path: string,
  write: (name: string, nth: number) => Promise<{ etag: string }>,
): Promise<{ path: string; etag: string }> {
  const { items } = await queryClient.fetchQuery(workflowListQuery);
  const known = new Set(items.map((item) => item.path));
  for (let nth = 1, tries = 1; ; nth += 1) {
    const name = nextName(path, nth);
    if (known.has(name)) continue;
    try {
      const { etag } = await write(name, nth);
      void queryClient.invalidateQueries({ queryKey: keys.workflows });
      return { path: name, etag };
    } catch (reason) {
      const isTaken = reason instanceof Refusal && TAKEN.has(reason.problem.status);
      if (!isTaken || tries >= triesMax) throw reason;
      tries += 1;
    }
  }
}

/** The file it was written to. `textOf` gets the number in its name. */
export function createDocument(
  path: string,
  textOf: string | ((nth: number) => string),
): Promise<{ path: string; etag: string }> {
  const headers = { "if-none-match": "*" };
  return underFreeName(path, (name, nth) => {
    const text = typeof textOf === "string" ? textOf : textOf(nth);
    return ask<WorkflowDocument>(at("workflows", name), { method: "PUT", headers, body: { text } });
  });
}

/**
 * Converts a pasted curl command to a workflow, and returns its path. The command is read here, because the server gets a
 * credential in it only when the user saves it.
 */
export async function createFromCurl(source: string): Promise<string> {
  const { workflowOfCurl } = await import("../../workflow/import/curl.ts");
  const made = isCurl(source) ? await workflowOfCurl(source) : undefined;
  if (made?.ok === false) {
    const { code, message: title, hint } = made.error;
    throw new Refusal(ownProblem(code, title, { status: 422, hint }));
  }
  const read = made === undefined ? source : await withFreeNames(made.value, namesWithValue);
  const { text } = await ask<ImportResult>("/import", { method: "POST", body: { source: read } });
  const { path } = await createDocument(fileNameFor(nameIn(text)) || "request.flow.yaml", text);
  return path;
}

const UNTITLED = "untitled.flow.yaml";
const KEY = "curlew.new";

/** Returns a function that makes an empty workflow and opens it. */
export function useNewWorkflow(): () => void {
  const navigate = useNavigate();
  return () =>
    void untouched()
      .then((path) => path ?? createDocument(UNTITLED, emptyText).then((made) => made.path))
      .then((path) => {
        sessionStorage.setItem(KEY, path);
        void navigate({ to: "/w/$path", params: { path } });
      })
      .catch((reason: unknown) => toast(problemOf(reason).title));
}

/** An earlier new workflow that is still unchanged. */
async function untouched(): Promise<string | undefined> {
  const { items } = await queryClient.fetchQuery(workflowListQuery);
  for (let nth = 1; nth <= items.length; nth += 1) {
    const path = nextName(UNTITLED, nth);
    if (!items.some((item) => item.path === path)) continue;
    const { text } = await ask<WorkflowDocument>(at("workflows", path));
    if (text === emptyText(nth)) return path;
  }
  return undefined;
}

/** The file name that a new workflow should get by its name. `undefined` if it has run, or this tab did not make it. */
export async function nameToFollow(path: string, name: string): Promise<string | undefined> {
  const file = fileNameFor(name);
  if (sessionStorage.getItem(KEY) !== path || file === "" || file === path) return undefined;
  const { items } = await ask<Page<RunItem>>("/runs", { query: { path, limit: 1 } });
  return items.length === 0 ? file : undefined;
}

/** Gives a new workflow another file name. `etag` is that of the text that the caller knows. */
export async function moveDocument(from: string, to: string, etag: string): Promise<{ path: string; etag: string }> {
  const headers = { "if-match": etag };
  const moved = await underFreeName(to, (name) =>
    ask<WorkflowDocument>(at("workflows", from, "rename"), { method: "POST", headers, body: { to: name } }),
  );
  sessionStorage.setItem(KEY, moved.path);
  return moved;
}
