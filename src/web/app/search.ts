// search: the query parameters of each screen's URL, and how they are read from what the user typed. Pure.

export type EditorView = "design" | "source" | "split";

/** `node` is the selected node, `run` the one whose states the canvas shows. */
export interface EditorSearch {
  view?: EditorView;
  node?: string;
  run?: string;
}

/** The selection in a run: a node's path, an attempt, a tab of the bottom panel, a line of the output, an HTTP call. */
export interface RunSearch {
  node?: string;
  attempt?: number;
  tab?: string;
  line?: number;
  call?: number;
}

/** Filters of the runs. `status` has one or more values, separated by commas. `tests` is `shown` or missing. */
export interface RunsSearch {
  workflow?: string;
  status?: string;
  kind?: string;
  tests?: string;
  sort?: RunSort;
  text?: string;
  since?: string;
  until?: string;
  failed?: string;
}

const SORTS = ["newest", "oldest", "longest", "shortest"] as const;
export type RunSort = (typeof SORTS)[number];

type Given = Record<string, unknown>;

const VIEWS: readonly unknown[] = ["design", "source", "split"];

export function editorSearch(given: Given): EditorSearch {
  const { view, ...others } = texts(given, ["view", "node", "run"]);
  return VIEWS.includes(view) ? { view: view as EditorView, ...others } : others;
}

export function runSearch(given: Given): RunSearch {
  return { ...texts(given, ["node", "tab"]), ...numbers(given, ["attempt", "line", "call"]) };
}

export function runsSearch(given: Given): RunsSearch {
  const search = texts(given, ["workflow", "status", "kind", "tests", "text", "since", "until", "failed"]);
  const sort = SORTS.find((one) => one === given.sort);
  return sort === undefined ? search : { ...search, sort };
}

export function texts<const Name extends string>(given: Given, names: readonly Name[]): { [Key in Name]?: string } {
  const found = names.filter((name) => typeof given[name] === "string" && given[name] !== "");
  return Object.fromEntries(found.map((name) => [name, given[name]])) as { [Key in Name]?: string };
}

function numbers<const Name extends string>(given: Given, names: readonly Name[]): { [Key in Name]?: number } {
  const found = names.filter((name) => /^\d+$/.test(String(given[name])));
  return Object.fromEntries(found.map((name) => [name, Number(given[name])])) as { [Key in Name]?: number };
}
