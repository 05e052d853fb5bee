// router: the screens of the web UI and their URLs (spec ui 6.2). Every screen is a separate chunk.
//   R1. `$path` is one URL-encoded segment, relative to the served folder, as in the API.
//   R2. The URL holds the state of the view (search.ts), so that a reload shows the same.

import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { loaded } from "../ui/lazily.ts";
import { Failed } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Screen } from "./screen.tsx";
import { editorSearch, runSearch, runsSearch, texts } from "./search.ts";
import { Shell } from "./shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });
const lazy = <Key extends string>(load: () => Promise<Record<Key, React.ComponentType>>, name: Key) =>
  lazyRouteComponent(() => loaded(load), name);

const home = createRoute({
  ...at("/"),
  component: lazy(() => import("../home/home-screen.tsx"), "HomeScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["show"]),
});
const editor = createRoute({
  ...at("/w/$path"),
  component: lazy(() => import("../editor/editor-screen.tsx"), "EditorScreen"),
  validateSearch: editorSearch,
});
const versions = createRoute({
  ...at("/w/$path/compare"),
  component: lazy(() => import("../compare/versions-screen.tsx"), "VersionsScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["with", "at"]),
});
const runs = createRoute({
  ...at("/runs"),
  component: lazy(() => import("../runs/runs-screen.tsx"), "RunsScreen"),
  validateSearch: runsSearch,
});
const compare = createRoute({
  ...at("/runs/compare"),
  component: lazy(() => import("../compare/runs-screen.tsx"), "RunsComparedScreen"),
  validateSearch: (search: Record<string, unknown>) => texts(search, ["a", "b", "at"]),
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
const machines = createRoute({
  ...at("/machines"),
  component: lazy(() => import("../machines/machines-screen.tsx"), "MachinesScreen"),
});
const settings = createRoute({
  ...at("/settings"),
  component: lazy(() => import("../settings/settings-screen.tsx"), "SettingsScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    editor,
    versions,
    runs,
    compare,
    run,
    inbox,
    triggers,
    secrets,
    machines,
    doctor,
    settings,
  ]),
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

function NotFound() {
  return (
    <Screen title="Not found">
      <Empty title="Nothing is here">
        <Link to="/" className="text-accent underline">
          Go to the workflows
        </Link>
      </Empty>
    </Screen>
  );
}

function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Failed error={error} action={<Button onClick={reset}>Try again</Button>} />
    </div>
  );
}
