// Hooks: webhooks with the URL for senders and how deliveries are checked, and file watches (spec ui 6.2.7).

import { Link } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import type { FileWatchItem, HookItem } from "../../api/shapes.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Copyable } from "../ui/copy.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { LastStart, TriggerRow } from "./trigger-row.tsx";

const VERIFY: Record<string, string> = {
  github: "signed by GitHub",
  stripe: "signed by Stripe",
  slack: "signed by Slack",
  "standard-webhooks": "signed (Standard Webhooks)",
  token: "with a token",
  none: "not verified",
};

export interface HooksProps {
  items: readonly HookItem[];
  /** The webhook whose deliveries are shown. */
  shown: string | undefined;
  onShow: (hook: string | undefined) => void;
  onTunnel: () => void;
}

export function Hooks({ items, shown, onShow, onTunnel }: HooksProps) {
  return (
    <Panel
      title="Webhooks"
      actions={
        <Button kind="quiet" size="small" onClick={onTunnel}>
          Open to the internet…
        </Button>
      }
    >
      <InParts label="Webhooks" items={items}>
        {(item) => (
          <TriggerRow
            key={item.id}
            item={item}
            title={<span className="font-mono text-[13px]">/h/{item.path}</span>}
            called={`webhook ${item.path}`}
            facts={
              <>
                <Chip look={item.verify === "none" ? "waiting" : undefined}>{VERIFY[item.verify] ?? item.verify}</Chip>
                {item.secret !== undefined && (
                  <Link to="/secrets" className="min-h-6 content-center hover:text-accent hover:underline">
                    secret <span className="font-mono text-xs">{item.secret}</span>
                  </Link>
                )}
                {item.lastAt === undefined ? (
                  <span>no delivery yet</span>
                ) : (
                  <span>
                    last delivery <Ago at={item.lastAt} />
                  </span>
                )}
              </>
            }
            actions={
              <IconButton
                label={shown === item.path ? "Show all deliveries" : `Show only deliveries to ${item.path}`}
                pressed={shown === item.path}
                icon={<ListFilter size={15} />}
                onClick={() => onShow(shown === item.path ? undefined : item.path)}
              />
            }
          >
            <Copyable text={item.url} label={`Copy the URL of ${item.path}`} />
          </TriggerRow>
        )}
      </InParts>
    </Panel>
  );
}

const CHANGES = { add: "is added", change: "changes", remove: "is removed" };

export function Watches({ items }: { items: readonly FileWatchItem[] }) {
  return (
    <Panel title="File watches">
      <InParts label="File watches" items={items}>
        {(item) => (
          <TriggerRow
            key={item.id}
            item={item}
            title={<span className="font-mono text-[13px]">{item.paths.join(", ")}</span>}
            called={`watch of ${item.paths[0] ?? "files"}`}
            facts={
              <>
                <span>when a file {item.on.map((change) => CHANGES[change]).join(" or ")}</span>
                <LastStart last={item.last} />
              </>
            }
          />
        )}
      </InParts>
    </Panel>
  );
}
