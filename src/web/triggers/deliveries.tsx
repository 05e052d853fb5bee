// Deliveries: received webhook requests and their results. Selecting one shows its headers and body.

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Copy, Hourglass, Radio, ShieldX } from "lucide-react";
import type { DeliveryItem, DeliveryStatus } from "../../api/shapes.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { size } from "../ui/words.ts";
import { deliveriesQuery } from "./queries.ts";

export interface DeliveriesProps {
  hook: string | undefined;
  onHook: (hook: string | undefined) => void;
  onOpen: (id: string) => void;
}

export function Deliveries({ hook, onHook, onOpen }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(hook));
  return (
    <Panel
      title={
        hook === undefined ? (
          "Deliveries"
        ) : (
          <>
            Deliveries to <span className="font-mono normal-case">{hook}</span>
          </>
        )
      }
      actions={
        hook !== undefined && (
          <Button kind="quiet" size="small" onClick={() => onHook(undefined)}>
            Show all
          </Button>
        )
      }
    >
      <QueryView query={deliveries}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <p className="px-4 py-8 text-center text-muted">No deliveries yet. Rejected deliveries also appear here.</p>
          ) : (
            <ul aria-label="Deliveries">
              {items.map((item) => (
                <Row key={item.id} item={item} onOpen={() => onOpen(item.id)} />
              ))}
            </ul>
          );
        }}
      </QueryView>
      {deliveries.hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button
            kind="quiet"
            size="small"
            busy={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show older deliveries
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Row({ item, onOpen }: { item: DeliveryItem; onOpen: () => void }) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line px-4 py-2 last:border-0 hover:bg-hover/60 sm:grid-cols-[116px_minmax(0,1fr)_72px_96px]">
      <DeliveryState status={item.status} />
      <div className="min-w-0 max-sm:order-last max-sm:col-span-2">
        <button
          type="button"
          onClick={onOpen}
          className="block max-w-full truncate text-left after:absolute after:inset-0 hover:text-accent"
        >
          <span className="font-mono text-xs">{item.hook}</span>
          <span className="sr-only">{` ${item.status}, ${size(item.bytes)}`}</span>
        </button>
        <p className="truncate text-sm text-muted max-sm:wrap-anywhere max-sm:whitespace-normal">
          {item.reason === undefined || item.status === "duplicate" ? origin(item) : item.reason}
        </p>
      </div>
      <span className="text-right text-sm text-muted max-sm:hidden">{size(item.bytes)}</span>
      <Ago at={item.receivedAt} className="text-right text-sm text-muted" />
    </li>
  );
}

function origin({ deliveryId, replayOf, workflow }: DeliveryItem): string {
  if (replayOf !== undefined) return `replayed for ${workflow}`;
  return deliveryId ?? workflow;
}

const STATES = {
  received: { word: "received", icon: Hourglass, text: "text-queued" },
  started: { word: "started", icon: CircleCheck, text: "text-succeeded" },
  failed: { word: "no run", icon: CircleX, text: "text-failed" },
  refused: { word: "refused", icon: ShieldX, text: "text-failed" },
  ping: { word: "ping", icon: Radio, text: "text-skipped" },
  duplicate: { word: "duplicate", icon: Copy, text: "text-skipped" },
} as const;

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  const { word, icon: Icon, text } = STATES[status];
  return (
    <span
      className={classes("inline-flex items-center gap-1.5 text-sm whitespace-nowrap", text)}
      data-delivery={status}
    >
      <Icon strokeWidth={2.25} />
      {word}
    </span>
  );
}
