// DeliveryDialog: one delivery with its headers and body as plain text (S7: nothing is rendered), and a button to
// replay it for this or another workflow.

import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Delivery } from "../../api/shapes.ts";
import { visible, visibleLine } from "../../base/visible.ts";
import { workflowsQuery } from "../client/queries.ts";
import { prettyText } from "../run/value/value.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Code, FactList, Section } from "../ui/facts.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";
import { exactTime, size } from "../ui/words.ts";
import { DeliveryState } from "./deliveries.tsx";
import { deliveryQuery, replay } from "./queries.ts";

interface DeliveryDialogProps {
  id: string;
  onClose: () => void;
  onOpen: (id: string) => void;
}

export function DeliveryDialog({ id, onClose, onOpen }: DeliveryDialogProps) {
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
      <QueryView query={delivery} rows={4}>
        {(delivery) => <Content delivery={delivery} onOpen={onOpen} />}
      </QueryView>
    </Dialog>
  );
}

const linkClass = "font-mono text-xs underline underline-offset-2 hover:text-accent";

function Content({ delivery, onOpen }: { delivery: Delivery; onOpen: (id: string) => void }) {
  const { status, reason, run, deliveryId, receivedAt, replayOf, headers, query, body, bytes } = delivery;
  return (
    <div className="flex flex-col gap-4">
      <FactList
        facts={[
          ["State", <DeliveryState key="state" status={status} />],
          ["Reason", status === "duplicate" || reason === undefined ? undefined : visibleLine(reason)],
          ["Note", status === "ping" ? "The sender checked this URL. A ping starts no run." : undefined],
          [
            "Run",
            run && (
              <RunLink key="run" id={run} className={linkClass}>
                {run}
              </RunLink>
            ),
          ],
          ["Received", exactTime(receivedAt)],
          ["Delivery id", deliveryId && <code key="id">{visibleLine(deliveryId)}</code>],
          [
            "Replay of",
            replayOf && (
              <button key="of" type="button" onClick={() => onOpen(replayOf)} className={linkClass}>
                {replayOf}
              </button>
            ),
          ],
        ]}
      />
      <Fields name="Headers" of={headers} />
      <Fields name="Query" of={query} />
      <Section title={`Body, ${size(bytes)}`}>
        {body === undefined ? (
          <p className="text-muted">The body of refused, duplicate, and old deliveries is not kept.</p>
        ) : (
          <Code label="Body" tall>
            {visible(prettyText(body))}
          </Code>
        )}
      </Section>
    </div>
  );
}

function Fields({ name, of }: { name: string; of: Record<string, string | string[]> }) {
  const lines = Object.entries(of).flatMap(([key, value]) => [value].flat().map((one) => `${key}: ${one}`));
  if (lines.length === 0) return null;
  return (
    <Section title={name}>
      <Code label={name}>{visible(lines.join("\n"))}</Code>
    </Section>
  );
}

function Replay({ delivery, onOpen }: { delivery: Delivery; onOpen: (id: string) => void }) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const [workflow, setWorkflow] = useState(delivery.workflow);
  const again = useMutation({
    mutationFn: () => replay(delivery.id, workflow),
    onSuccess: ({ id }) => {
      toast(`Replayed for ${workflow}`);
      onOpen(id);
    },
    onError: (error) => toast(error.message),
  });
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2">
      <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
        for
        <Select
          aria-label="for"
          value={workflow}
          onChange={setWorkflow}
          options={workflows.map(({ path }) => [path, path])}
          className="max-w-64"
        />
      </span>
      <Button kind="primary" icon={<RotateCcw />} busy={again.isPending} onClick={() => again.mutate()}>
        Replay
      </Button>
    </div>
  );
}
