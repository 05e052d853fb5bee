// RetentionPanel: how long ended runs are kept. Empty fields keep them forever.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Settings } from "../../api/shapes.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Failed } from "../ui/problem.tsx";
import { toast } from "../ui/toast.tsx";
import { changeSettings } from "./queries.ts";

export function RetentionPanel({ retention }: { retention: Settings["retention"] }) {
  const [days, setDays] = useState(String(retention.days ?? ""));
  const [runs, setRuns] = useState(String(retention.runs ?? ""));
  const save = useMutation({ mutationFn: changeSettings, onSuccess: () => toast("Saved") });
  const [keptDays, keptRuns] = [limitIn(days, 3_650), limitIn(runs, 1_000_000_000)];
  const isValid = keptDays !== undefined && keptRuns !== undefined;
  const isChanged = days !== String(retention.days ?? "") || runs !== String(retention.runs ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && isChanged) save.mutate({ retention: { days: keptDays, runs: keptRuns } });
  };
  return (
    <Panel title="History">
      <form onSubmit={submit} className="flex flex-col gap-4 p-4">
        <p className="max-w-2xl text-muted">
          Finished runs that are older, or beyond this number, are deleted with their outputs. Active runs are kept.
        </p>
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            label="Days to keep"
            value={days}
            inputMode="numeric"
            placeholder="for ever"
            error={keptDays === undefined ? "Enter an integer from 1 to 3650, or nothing." : undefined}
            onChange={(event) => setDays(event.target.value)}
            className="max-w-40"
          />
          <TextField
            label="Runs to keep at most"
            value={runs}
            inputMode="numeric"
            placeholder="all"
            error={keptRuns === undefined ? "Enter an integer from 1, or nothing." : undefined}
            onChange={(event) => setRuns(event.target.value)}
            className="max-w-40"
          />
        </div>
        <Failed error={save.error} />
        <div>
          <Button type="submit" disabled={!isChanged || !isValid} busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** An empty field means no limit. Undefined if the text is not a limit. */
function limitIn(text: string, most: number): number | null | undefined {
  const plain = text.trim();
  if (plain === "") return null;
  return /^\d+$/.test(plain) && Number(plain) >= 1 && Number(plain) <= most ? Number(plain) : undefined;
}
