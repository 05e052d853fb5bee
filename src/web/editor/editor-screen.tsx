// EditorScreen: loads the workflow that the URL names, and opens the workbench on it.

import { Link, useParams } from "@tanstack/react-router";
import { visibleLine } from "../../base/visible.ts";
import { Screen } from "../app/screen.tsx";
import { problemOf } from "../client/queries.ts";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "./use-document.ts";
import { Workbench } from "./workbench.tsx";

export function EditorScreen() {
  const { path } = useParams({ from: "/w/$path" });
  const loaded = useLoaded(path);
  if (loaded === undefined) return <p className="p-6 text-muted">Opening {visibleLine(path)}…</p>;
  if ("error" in loaded)
    return (
      <Screen title={path}>
        <Problem
          problem={problemOf(loaded.error)}
          action={
            <Link to="/" className="text-accent underline">
              Go to the workflows
            </Link>
          }
        />
      </Screen>
    );
  return <Workbench key={path} loaded={loaded} />;
}
