// search: the query parameters of each screen's URL, and how they are read from what the user typed. Pure.

export type EditorView = "design" | "source" | "split";

/** `node` is the selected node. */
export interface EditorSearch {
  view?: EditorView;
  node?: string;
}

/** The selection in a run: a node's path, an attempt, a tab of the bottom panel, a line of the output. */
export interface RunSearch {
  node?: string;
  attempt?: number;
  tab?: string;
  line?: number;
}

/** Filters of the runs. `status` has one or more values, separated by commas. */
export interface RunsSearch {
  workflow?: string;
  status?: string;
  trigger?: string;
  text?: string;
  since?: string;
  until?: string;
  failed?: string;
}

type Given = Record<string, unknown>;

const VIEWS: readonly unknown[] = ["design", "source", "split"];

export function editorSearch(given: Given): EditorSearch {
  const { view, node } = texts(given, ["view", "node"]);
  return VIEWS.includes(view) ? { view: view as EditorView, node } : { node };
}

export function runSearch(given: Given): RunSearch {
  return { ...texts(given, ["node", "tab"]), ...numbers(given, ["attempt", "line"]) };
}

export function runsSearch(given: Given): RunsSearch {
  return texts(given, ["workflow", "status", "trigger", "text", "since", "until", "failed"]);
}

export function texts<const Name extends string>(given: Given, names: readonly Name[]): { [Key in Name]?: string } {
  const found = names.filter((name) => typeof given[name] === "string" && given[name] !== "");
  return Object.fromEntries(found.map((name) => [name, given[name]])) as { [Key in Name]?: string };
}

function numbers<const Name extends string>(given: Given, names: readonly Name[]): { [Key in Name]?: number } {
  const found = names.filter((name) => /^\d+$/.test(String(given[name])));
  return Object.fromEntries(found.map((name) => [name, Number(given[name])])) as { [Key in Name]?: number };
}
