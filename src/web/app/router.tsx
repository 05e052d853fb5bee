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
type Load<Name extends string> = () => Promise<Record<Name, React.ComponentType>>;

/** A screen, loaded when it is first shown. `validateSearch` reads its query parameters. */
const screen = <const Path extends string, Name extends string, Search extends object = object>(
  path: Path,
  load: Load<Name>,
  name: Name,
  validateSearch: (given: Record<string, unknown>) => Search = () => ({}) as Search,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => loaded(load), name),
    validateSearch,
  });
/** Parameters that are plain text. */
const named =
  <const Key extends string>(...names: Key[]) =>
  (given: Record<string, unknown>) =>
    texts(given, names);

const screens = [
  screen("/", () => import("../home/home-screen.tsx"), "HomeScreen", named("show")),
  screen("/w/$path", () => import("../editor/editor-screen.tsx"), "EditorScreen", editorSearch),
  screen("/w/$path/compare", () => import("../compare/versions-screen.tsx"), "VersionsScreen", named("with", "at")),
  screen("/runs", () => import("../runs/runs-screen.tsx"), "RunsScreen", runsSearch),
  screen("/runs/compare", () => import("../compare/runs-screen.tsx"), "RunsComparedScreen", named("a", "b", "at")),
  screen("/runs/$id", () => import("../run/run-screen.tsx"), "RunScreen", runSearch),
  screen("/inbox", () => import("../inbox/inbox-screen.tsx"), "InboxScreen", named("id")),
  screen("/triggers", () => import("../triggers/triggers-screen.tsx"), "TriggersScreen", named("text", "delivery")),
  screen("/secrets", () => import("../secrets/secrets-screen.tsx"), "SecretsScreen"),
  screen("/doctor", () => import("../doctor/doctor-screen.tsx"), "DoctorScreen"),
  screen("/machines", () => import("../machines/machines-screen.tsx"), "MachinesScreen"),
  screen("/settings", () => import("../settings/settings-screen.tsx"), "SettingsScreen"),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(screens),
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
