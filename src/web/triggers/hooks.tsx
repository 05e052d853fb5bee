// Hooks: webhooks with the URL for senders and how deliveries are checked (spec ui 6.2.7).

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import type { WebhookTrigger } from "../../workflow/triggers/index.ts";
import { serverQuery } from "../client/queries.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Copyable } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Section } from "../ui/facts.tsx";
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

export interface HooksProps {
  items: readonly Listed<WebhookTrigger>[];
  /** The webhook whose deliveries are shown. */
  shown: string | undefined;
  onShow: (hook: string | undefined) => void;
}

export function Hooks({ items, shown, onShow }: HooksProps) {
  const [isTunnel, setTunnel] = useState(false);
  return (
    <Panel
      title="Webhooks"
      actions={
        <Button kind="quiet" size="small" onClick={() => setTunnel(true)}>
          Open to the internet…
        </Button>
      }
    >
      <InParts label="Webhooks" items={items}>
        {(item) => (
          <TriggerRow
            key={item.id}
            item={item}
            title={<span className="font-mono text-sm">/h/{item.fields.path}</span>}
            called={`webhook ${item.fields.path}`}
            facts={
              <>
                <Chip look={item.fields.verify === "none" ? "waiting" : undefined}>
                  {VERIFY[item.fields.verify] ?? item.fields.verify}
                </Chip>
                {item.fields.secret !== undefined && (
                  <Link to="/secrets" className="min-h-6 content-center hover:text-accent hover:underline">
                    secret <span className="font-mono text-xs">{item.fields.secret}</span>
                  </Link>
                )}
                {item.last === undefined ? (
                  <span>no delivery yet</span>
                ) : (
                  <span>
                    last delivery <Ago at={item.last.at} />
                  </span>
                )}
              </>
            }
            actions={
              <IconButton
                label={
                  shown === item.fields.path ? "Show all deliveries" : `Show only deliveries to ${item.fields.path}`
                }
                pressed={shown === item.fields.path}
                icon={<ListFilter size={15} />}
                onClick={() => onShow(shown === item.fields.path ? undefined : item.fields.path)}
              />
            }
          >
            <Copyable text={item.url ?? ""} label={`Copy the URL of ${item.fields.path}`} />
          </TriggerRow>
        )}
      </InParts>
      {isTunnel && <TunnelDialog onClose={() => setTunnel(false)} />}
    </Panel>
  );
}

/** How senders can reach the webhooks of a machine that is not on the internet. */
function TunnelDialog({ onClose }: { onClose: () => void }) {
  const hooksUrl = useQuery(serverQuery).data?.hooksUrl ?? "";
  const port = URL.canParse(hooksUrl) ? new URL(hooksUrl).port : "4880";
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Open webhooks to the internet"
      description={`Webhooks use a separate port, ${port}. It serves only deliveries, so a tunnel to it never shows the editor. Never tunnel the editor’s port.`}
    >
      <div className="flex flex-col gap-4">
        <Line title="cloudflared" text={`cloudflared tunnel --url http://127.0.0.1:${port}`} />
        <Line title="ngrok" text={`ngrok http ${port}`} />
        <Line
          title="ssh, to a machine with a web server"
          text={`ssh -N -R 127.0.0.1:${port}:127.0.0.1:${port} you@your-server`}
        />
        <Line
          title="Then put the URL that the tunnel printed in config.yaml and reload this page"
          text="publicHooksUrl: https://the-name-it-printed.example.com"
        />
        <p className="text-sm text-muted">Start the server with the same --hooks-port next time.</p>
      </div>
    </Dialog>
  );
}

function Line({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title}>
      <Copyable text={text} label={`Copy ${text}`} />
    </Section>
  );
}
