// Hooks: webhooks: the address to give to a sender, how deliveries are checked (spec ui 6.2.7).

import { Link } from "@tanstack/react-router";
import { Copy, ListFilter } from "lucide-react";
import type { HookItem } from "../../api/shapes.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { copyText } from "../ui/copy.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { useNow } from "../ui/now.ts";
import { Panel } from "../ui/panel.tsx";
import { ago } from "../ui/words.ts";
import { TriggerRow } from "./trigger-row.tsx";

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
  shown: string | undefined;
  onShow: (hook: string | undefined) => void;
  onTunnel: () => void;
}

export function Hooks({ items, shown, onShow, onTunnel }: HooksProps) {
  const now = useNow(10_000);
  return (
    <Panel
      title="Webhooks"
      actions={
        <Button kind="quiet" size="small" onClick={onTunnel}>
          Reach them from outside…
        </Button>
      }
    >
      <InParts label="Webhooks" items={items}>
        {(item) => (
          <TriggerRow
            key={item.id}
            id={item.id}
            title={<span className="font-mono text-[13px]">/h/{item.path}</span>}
            called={`webhook ${item.path}`}
            workflow={item.workflow}
            paused={item.paused}
            problem={item.problem}
            facts={
              <>
                <Chip {...(item.verify === "none" ? { look: "waiting" as const } : {})}>
                  {VERIFY[item.verify] ?? item.verify}
                </Chip>
                {item.secret !== undefined && (
                  <Link to="/secrets" className="min-h-6 content-center hover:text-accent hover:underline">
                    secret <span className="font-mono text-xs">{item.secret}</span>
                  </Link>
                )}
                <span>{item.lastAt === undefined ? "no delivery yet" : `last delivery ${ago(item.lastAt, now)}`}</span>
              </>
            }
            actions={
              <IconButton
                label={shown === item.path ? "Show all deliveries" : `Show deliveries of ${item.path} alone`}
                pressed={shown === item.path}
                icon={<ListFilter size={15} aria-hidden="true" />}
                onClick={() => onShow(shown === item.path ? undefined : item.path)}
              />
            }
          >
            <div className="mt-2 flex max-w-full items-center gap-1">
              <code className="min-w-0 truncate rounded-md border border-line bg-bg px-2 py-1 font-mono text-xs">
                {item.url}
              </code>
              <IconButton
                label={`Copy the address of ${item.path}`}
                size="small"
                icon={<Copy size={14} aria-hidden="true" />}
                onClick={() => void copyText(item.url, "Copied the address")}
              />
            </div>
          </TriggerRow>
        )}
      </InParts>
    </Panel>
  );
}
