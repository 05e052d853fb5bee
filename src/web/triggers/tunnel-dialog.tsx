// TunnelDialog: how senders reach the hooks of a machine that is not on the internet, with the port that shows hooks and nothing else.

import { Copy } from "lucide-react";
import { copyText } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextBlock } from "./text-block.tsx";

export function TunnelDialog({ hooksUrl, onClose }: { hooksUrl: string; onClose: () => void }) {
  const port = URL.canParse(hooksUrl) ? new URL(hooksUrl).port : "4880";
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Reach the hooks from outside"
      description={
        <>
          Hooks listen on a port of their own, <span className="font-mono text-xs">{port}</span>. It serves deliveries
          and nothing else, so a tunnel to it never shows the editor. Never tunnel the editor’s port.
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Way name="cloudflared" text={`cloudflared tunnel --url http://127.0.0.1:${port}`} />
        <Way name="ngrok" text={`ngrok http ${port}`} />
        <Way
          name="ssh, to a machine with a web server"
          text={`ssh -N -R 127.0.0.1:${port}:127.0.0.1:${port} you@your-server`}
        />
        <div>
          <p className="mb-1">
            Then tell Curlew the address that the tunnel printed, so that it is shown here: in{" "}
            <span className="font-mono text-xs">config.yaml</span> of the home,
          </p>
          <Line text="publicHooksUrl: https://the-name-it-printed.example.com" />
          <p className="mt-1 text-sm text-muted">
            and it is shown here when the page is loaded again. Start the server with the same --hooks-port next time.
          </p>
        </div>
      </div>
    </Dialog>
  );
}

function Way({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1 text-sm text-muted">{name}</h3>
      <Line text={text} />
    </div>
  );
}

function Line({ text }: { text: string }) {
  return (
    <div className="flex items-center gap-1">
      <TextBlock label={text} className="min-w-0 flex-1" text={text} />
      <IconButton
        label={`Copy ${text}`}
        size="small"
        icon={<Copy size={14} aria-hidden="true" />}
        onClick={() => void copyText(text)}
      />
    </div>
  );
}
