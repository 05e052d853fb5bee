// router: the screens of the web UI and their URLs (spec ui 6.2). Every screen is a separate chunk.
//   R1. `$path` is one URL-encoded segment, relative to the served folder, as in the API.
//   R2. The URL holds the state of the view (search.ts), so that a reload shows the same.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { loaded } from "../ui/lazily.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Broken, NotFound } from "./no-place.tsx";
import { editorSearch, runSearch, runsSearch, texts } from "./search.ts";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });
const lazy = <Key extends string>(load: () => Promise<Record<Key, React.ComponentType>>, name: Key) =>
  lazyRouteComponent(() => loaded(load), name);

const home = createRoute({ ...at("/"), component: lazy(() => import("../home/home-screen.tsx"), "HomeScreen") });
const editor = createRoute({
  ...at("/w/$path"),
  component: lazy(() => import("../editor/editor-screen.tsx"), "EditorScreen"),
  validateSearch: editorSearch,
});
const runs = createRoute({
  ...at("/runs"),
  component: lazy(() => import("../runs/runs-screen.tsx"), "RunsScreen"),
  validateSearch: runsSearch,
});
const compare = createRoute({
  ...at("/runs/compare"),
  component: lazy(() => import("../runs/compare-screen.tsx"), "CompareScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["a", "b"]),
});
const run = createRoute({
  ...at("/runs/$id"),
  component: lazy(() => import("../run/run-screen.tsx"), "RunScreen"),
  validateSearch: runSearch,
});
const inbox = createRoute({
  ...at("/inbox"),
  component: lazy(() => import("../inbox/inbox-screen.tsx"), "InboxScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["id"]),
});
const triggers = createRoute({
  ...at("/triggers"),
  component: lazy(() => import("../triggers/triggers-screen.tsx"), "TriggersScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["text", "delivery"]),
});
const secrets = createRoute({
  ...at("/secrets"),
  component: lazy(() => import("../secrets/secrets-screen.tsx"), "SecretsScreen"),
});
const doctor = createRoute({
  ...at("/doctor"),
  component: lazy(() => import("../doctor/doctor-screen.tsx"), "DoctorScreen"),
});
const settings = createRoute({
  ...at("/settings"),
  component: lazy(() => import("../settings/settings-screen.tsx"), "SettingsScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([home, editor, runs, compare, run, inbox, triggers, secrets, doctor, settings]),
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  // Shown while the server is unreachable. The banner gives the reason.
  defaultPendingComponent: () => <Skeleton className="p-6" />,
  scrollRestoration: true,
  // Ids and paths stay strings, even if they look like numbers.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
