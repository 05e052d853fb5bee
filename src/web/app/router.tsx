// router: the places of the web and their addresses (spec ui 6.2). Every screen is a chunk of its own.
//   R1. `$path` is one URL-encoded segment, relative to the served folder, as in the API.
//   R2. What a person looks at stands in the address: view, filters, selection. A reload shows the same.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { loaded } from "../ui/lazily.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Broken } from "./broken.tsx";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

export type EditorView = "design" | "source" | "split";

/** `node` is selected. */
export interface EditorSearch {
  view?: EditorView;
  node?: string;
}

/** What is selected in a run: a node's path, an attempt of it, a tab of the dock. Its owner adds to these. */
export interface RunSearch {
  node?: string;
  attempt?: number;
  tab?: string;
  line?: number;
}

/** Several statuses with commas. */
export interface RunsSearch {
  workflow?: string;
  status?: string;
  trigger?: string;
  text?: string;
  since?: string;
  until?: string;
  failed?: string;
}

const home = createRoute({
  ...at("/"),
  component: lazyRouteComponent(() => loaded(() => import("../home/home-screen.tsx")), "HomeScreen"),
});
const editor = createRoute({
  ...at("/w/$path"),
  component: lazyRouteComponent(() => loaded(() => import("../editor/editor-screen.tsx")), "EditorScreen"),
  validateSearch: (search: Record<string, unknown>): EditorSearch => ({
    ...(search.view === "source" || search.view === "split" || search.view === "design" ? { view: search.view } : {}),
    ...texts(search, ["node"]),
  }),
});
const runs = createRoute({
  ...at("/runs"),
  component: lazyRouteComponent(() => loaded(() => import("../runs/runs-screen.tsx")), "RunsScreen"),
  validateSearch: (search: Record<string, unknown>): RunsSearch =>
    texts(search, ["workflow", "status", "trigger", "text", "since", "until", "failed"]),
});
const compare = createRoute({
  ...at("/runs/compare"),
  component: lazyRouteComponent(() => loaded(() => import("../runs/compare-screen.tsx")), "CompareScreen"),
  validateSearch: (search: Record<string, unknown>): { a?: string; b?: string } => texts(search, ["a", "b"]),
});
const run = createRoute({
  ...at("/runs/$id"),
  component: lazyRouteComponent(() => loaded(() => import("../run/run-screen.tsx")), "RunScreen"),
  validateSearch: (search: Record<string, unknown>): RunSearch => ({
    ...texts(search, ["node", "tab"]),
    ...numbers(search, ["attempt", "line"]),
  }),
});
const inbox = createRoute({
  ...at("/inbox"),
  component: lazyRouteComponent(() => loaded(() => import("../inbox/inbox-screen.tsx")), "InboxScreen"),
  validateSearch: (search: Record<string, unknown>): { id?: string } => texts(search, ["id"]),
});
const triggers = createRoute({
  ...at("/triggers"),
  component: lazyRouteComponent(() => loaded(() => import("../triggers/triggers-screen.tsx")), "TriggersScreen"),
  validateSearch: (search: Record<string, unknown>): { text?: string; delivery?: string } =>
    texts(search, ["text", "delivery"]),
});
const secrets = createRoute({
  ...at("/secrets"),
  component: lazyRouteComponent(() => loaded(() => import("../secrets/secrets-screen.tsx")), "SecretsScreen"),
});
const doctor = createRoute({
  ...at("/doctor"),
  component: lazyRouteComponent(() => loaded(() => import("../doctor/doctor-screen.tsx")), "DoctorScreen"),
});
const settings = createRoute({
  ...at("/settings"),
  component: lazyRouteComponent(() => loaded(() => import("../settings/settings-screen.tsx")), "SettingsScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...[home, editor, runs, compare, run, inbox],
    ...[triggers, secrets, doctor, settings],
  ] as const),
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  // A server that is away just now: the place is open, and the banner says why it is empty.
  defaultPendingComponent: () => <Skeleton className="p-6" />,
  // Ids and paths are text, though they may look like numbers.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function texts<const Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) if (typeof search[name] === "string" && search[name] !== "") found[name] = search[name];
  return found as { [Key in Name]?: string };
}

function numbers<const Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: Partial<Record<Name, number>> = {};
  for (const name of names) if (/^\d+$/.test(String(search[name]))) found[name] = Number(search[name]);
  return found as { [Key in Name]?: number };
}
