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
import { limitIn, retentionChange } from "./retention.ts";

export function RetentionPanel({ retention }: { retention: Settings["retention"] }) {
  const [days, setDays] = useState(String(retention.days ?? ""));
  const [runs, setRuns] = useState(String(retention.runs ?? ""));
  const save = useMutation({ mutationFn: changeSettings, onSuccess: () => toast("Saved") });
  const change = retentionChange(days, runs);
  const isChanged = days !== String(retention.days ?? "") || runs !== String(retention.runs ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== undefined && isChanged) save.mutate(change);
  };
  const wrongDays = limitIn(days) === "wrong" || Number(days) > 3_650;
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
            error={wrongDays ? "A whole number from 1 to 3650, or nothing." : undefined}
            onChange={(event) => setDays(event.target.value)}
            className="max-w-40"
          />
          <TextField
            label="Runs to keep at most"
            value={runs}
            inputMode="numeric"
            placeholder="all"
            error={limitIn(runs) === "wrong" ? "A whole number from 1, or nothing." : undefined}
            onChange={(event) => setRuns(event.target.value)}
            className="max-w-40"
          />
        </div>
        <Failed error={save.error} />
        <div>
          <Button type="submit" disabled={!isChanged || change === undefined} busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}
