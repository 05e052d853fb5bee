// DeliveryDialog: one delivery with its headers and body, as text, and replaying it for this or another workflow (S7: nothing is rendered).

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Delivery } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { problemOf, workflowsQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toast.tsx";
import { size } from "../ui/words.ts";
import { DeliveryState } from "./delivery-state.tsx";
import { deliveryQuery, replay } from "./queries.ts";
import { TextBlock } from "./text-block.tsx";

export function DeliveryDialog({
  id,
  onClose,
  onOpen,
}: {
  id: string;
  onClose: () => void;
  onOpen: (id: string) => void;
}) {
  const delivery = useQuery(deliveryQuery(id));
  const shown = delivery.data;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={shown === undefined ? "Delivery" : `Delivery to ${shown.hook}`}
      actions={shown?.body !== undefined && <Replay key={shown.id} delivery={shown} onOpen={onOpen} />}
    >
      {delivery.isPending && <Skeleton rows={4} />}
      {delivery.error !== null && shown === undefined && <Problem problem={problemOf(delivery.error)} />}
      {shown !== undefined && <Content delivery={shown} onOpen={onOpen} />}
    </Dialog>
  );
}

function Content({ delivery, onOpen }: { delivery: Delivery; onOpen: (id: string) => void }) {
  const { status, reason, run, deliveryId, receivedAt, replayOf, headers, query, body, bytes } = delivery;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <Fact name="State">
          <DeliveryState status={status} />
          {reason !== undefined && status !== "duplicate" && (
            <p className="mt-0.5 break-words">{visibleLine(reason)}</p>
          )}
          {status === "ping" && (
            <p className="mt-0.5">Its sender asked whether somebody is here. No run comes of it.</p>
          )}
        </Fact>
        {run !== undefined && (
          <Fact name="Run">
            <Link
              to="/runs/$id"
              params={{ id: run }}
              className="font-mono text-xs underline underline-offset-2 hover:text-accent"
            >
              {run}
            </Link>
          </Fact>
        )}
        <Fact name="Came">{new Date(receivedAt).toLocaleString()}</Fact>
        {deliveryId !== undefined && (
          <Fact name="Called">
            <span className="font-mono text-xs break-all">{visibleLine(deliveryId)}</span>
          </Fact>
        )}
        {replayOf !== undefined && (
          <Fact name="Replay of">
            <button
              type="button"
              onClick={() => onOpen(replayOf)}
              className="font-mono text-xs underline underline-offset-2 hover:text-accent"
            >
              {replayOf}
            </button>
          </Fact>
        )}
      </dl>
      <Fields name="Headers" of={headers} />
      <Fields name="Query" of={query} />
      <section>
        <h3 className="mb-1 text-sm text-muted">Body, {size(bytes)}</h3>
        {body === undefined ? (
          <p className="text-muted">Of refused, repeated and old deliveries no body is kept.</p>
        ) : (
          <TextBlock label="Body" className="max-h-80" text={pretty(body)} />
        )}
      </section>
    </div>
  );
}

function Fields({ name, of }: { name: string; of: Record<string, string | string[]> }) {
  const lines = Object.entries(of).flatMap(([key, value]) => [value].flat().map((one) => `${key}: ${one}`));
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 text-sm text-muted">{name}</h3>
      <TextBlock label={name} className="max-h-40" text={lines.join("\n")} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function Replay({ delivery, onOpen }: { delivery: Delivery; onOpen: (id: string) => void }) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const [workflow, setWorkflow] = useState(delivery.workflow);
  const again = useMutation({
    mutationFn: () => replay(delivery.id, workflow === delivery.workflow ? undefined : workflow),
    onSuccess: ({ workflow }) => toast(`Replayed for ${workflow}`),
    onError: (error) => toast(error.message),
  });
  const paths = [...new Set([delivery.workflow, ...workflows.map(({ path }) => path)])];
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2">
      <label className="flex min-w-0 items-center gap-2 text-sm text-muted">
        for
        <select
          value={workflow}
          onChange={(event) => setWorkflow(event.target.value)}
          className={`${inputClass} h-8 w-auto max-w-64 py-0`}
        >
          {paths.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      </label>
      <Button
        kind="primary"
        icon={<RotateCcw size={14} aria-hidden="true" />}
        busy={again.isPending}
        // Only while the dialog is open.
        onClick={() => again.mutate(undefined, { onSuccess: (made) => onOpen(made.id) })}
      >
        Replay
      </Button>
    </div>
  );
}

/** JSON in lines; anything else as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
