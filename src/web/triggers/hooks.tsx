// Hooks: webhooks with the URL for senders and how deliveries are checked (spec ui 6.2.7).

import { Link } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import type { WebhookTrigger } from "../../workflow/triggers/index.ts";
import { Ago } from "../ui/ago.tsx";
import { Chip } from "../ui/chip.tsx";
import { Copyable } from "../ui/copy.tsx";
import { DocsLink } from "../ui/docs-link.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import type { Listed } from "./queries.ts";
import { TriggerRow } from "./trigger-row.tsx";

export const VERIFY: Record<string, string> = {
  github: "signed by GitHub",
  stripe: "signed by Stripe",
  slack: "signed by Slack",
  "standard-webhooks": "signed (Standard Webhooks)",
  token: "with a token",
  none: "not verified",
};

interface HooksProps {
  items: readonly Listed<WebhookTrigger>[];
  shown: string | undefined;
  onShow: (hook: string | undefined) => void;
}

export function Hooks({ items, shown, onShow }: HooksProps) {
  const help = <DocsLink page="how-to/triggers#receive-webhooks-from-the-internet">Open to the internet</DocsLink>;
  return (
    <Panel title="Webhooks" actions={help}>
      <InParts label="Webhooks" items={items}>
        {({ fields: { path, verify, secret }, ...item }) => (
          <TriggerRow
            key={item.id}
            item={item}
            title={<span className="font-mono text-sm">/h/{path}</span>}
            called={`webhook ${path}`}
            facts={
              <>
                <Chip look={verify === "none" ? "waiting" : undefined}>{VERIFY[verify] ?? verify}</Chip>
                {secret !== undefined && (
                  <Link to="/secrets" className="min-h-6 content-center hover:text-accent hover:underline">
                    secret <span className="font-mono text-xs">{secret}</span>
                  </Link>
                )}
                <span>
                  {item.last === undefined ? "no delivery yet" : <>last delivery {<Ago at={item.last.at} />}</>}
                </span>
              </>
            }
            actions={
              <IconButton
                label={shown === path ? "Show all deliveries" : `Show only deliveries to ${path}`}
                pressed={shown === path}
                icon={<ListFilter size={15} />}
                onClick={() => onShow(shown === path ? undefined : path)}
              />
            }
          >
            <Copyable text={item.url ?? ""} label={`Copy the URL of ${path}`} />
          </TriggerRow>
        )}
      </InParts>
    </Panel>
  );
}
