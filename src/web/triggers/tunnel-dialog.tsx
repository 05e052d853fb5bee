// TunnelDialog: explains how senders can reach the webhooks of a machine that is not on the internet.

import { Copyable } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Section } from "../ui/facts.tsx";

export function TunnelDialog({ hooksUrl, onClose }: { hooksUrl: string; onClose: () => void }) {
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
