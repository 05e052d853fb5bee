// RunChoice: chooses the values that the panel uses: those of the newest runs, or of one ended run. Tests, hovers, and
// previews then use the same run's data (ui 6.3).
//   C1. The chosen run is shown even if it is not in the list, for example because it is older or was removed.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { problemOf, runQuery } from "../client/queries.ts";
import { useNow } from "../ui/now.ts";
import { Problem } from "../ui/problem.tsx";
import { wordOf } from "../ui/state.ts";
import { ago } from "../ui/words.ts";
import { usePanel } from "./context.ts";
import { type Option, SelectField } from "./fields/controls.tsx";
import { chooseRun, useRunsToChoose } from "./last-values.ts";

export function RunChoice() {
  const { doc, last } = usePanel();
  const runs = useRunsToChoose(doc.file);
  const now = useNow(30_000);
  const { chosen } = last;
  const offered = runs.data ?? [];
  if (offered.length === 0 && chosen === undefined) return null;
  const options: Option[] = [["", "The last run"]];
  for (const run of offered) options.push([run.id, wordsOf(run, now)]);
  if (chosen !== undefined && !offered.some(({ id }) => id === chosen)) options.push([chosen, shortRunId(chosen)]);
  return (
    <div className="flex flex-col gap-1">
      <SelectField
        label="Values of"
        value={chosen ?? ""}
        options={options}
        onChange={(run) => chooseRun(doc.file, run || undefined)}
      />
      {chosen !== undefined && <Chosen run={chosen} />}
      {runs.error !== null && <Problem problem={problemOf(runs.error)} />}
    </div>
  );
}

/** Shows a chosen run that is not in the list (C1). */
function Chosen({ run }: { run: string }) {
  const { error } = useQuery(runQuery(run));
  if (error !== null) return <Problem problem={problemOf(error)} />;
  return (
    <p className="text-xs text-muted">
      The values shown here are those of this run.{" "}
      <Link to="/runs/$id" params={{ id: run }} className="text-accent underline">
        Open it
      </Link>
    </p>
  );
}

function wordsOf({ id, status, startedAt }: RunItem, now: number): string {
  return `${ago(startedAt, now)} · ${wordOf(status)} · ${shortRunId(id)}`;
}
