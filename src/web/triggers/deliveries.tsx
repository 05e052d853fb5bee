// Deliveries: the inbox of webhooks: what came, what became of it; one opens beside it with headers and body.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { DeliveryItem } from "../../api/shapes.ts";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { useNow } from "../ui/now.ts";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ago, size } from "../ui/words.ts";
import { DeliveryState } from "./delivery-state.tsx";
import { deliveriesQuery } from "./queries.ts";

export interface DeliveriesProps {
  hook: string | undefined;
  onHook: (hook: string | undefined) => void;
  onOpen: (id: string) => void;
}

export function Deliveries({ hook, onHook, onOpen }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(hook));
  const now = useNow(10_000);
  const items = deliveries.data?.pages.flatMap(({ items: page }) => page) ?? [];
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
      {deliveries.isPending && <Skeleton rows={3} className="p-4" />}
      {deliveries.error !== null && deliveries.data === undefined && <Problem problem={problemOf(deliveries.error)} />}
      {deliveries.data !== undefined && items.length === 0 && (
        <p className="px-4 py-8 text-center text-muted">
          Nothing has come yet. Whatever a hook gets stands here, also what it refuses.
        </p>
      )}
      <ul aria-label="Deliveries">
        {items.map((item) => (
          <Row key={item.id} item={item} now={now} onOpen={() => onOpen(item.id)} />
        ))}
      </ul>
      {deliveries.hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button
            kind="quiet"
            size="small"
            busy={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show older ones
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Row({ item, now, onOpen }: { item: DeliveryItem; now: number; onOpen: () => void }) {
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
          <span className="sr-only">{` ${item.status}, ${ago(item.receivedAt, now)}`}</span>
        </button>
        <p className="truncate text-sm text-muted max-sm:wrap-anywhere max-sm:whitespace-normal">
          {item.reason === undefined || item.status === "duplicate" ? origin(item) : item.reason}
        </p>
      </div>
      <span className="text-right text-sm text-muted max-sm:hidden">{size(item.bytes)}</span>
      <span className="text-right text-sm text-muted" title={new Date(item.receivedAt).toLocaleString()}>
        {ago(item.receivedAt, now)}
      </span>
    </li>
  );
}

function origin({ deliveryId, replayOf, workflow }: DeliveryItem): string {
  if (replayOf !== undefined) return `replayed for ${workflow}`;
  return deliveryId ?? workflow;
}
