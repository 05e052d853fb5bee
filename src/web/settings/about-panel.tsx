// AboutPanel: what this server is and where it is reached.

import { useQuery } from "@tanstack/react-query";
import { serverQuery } from "../client/queries.ts";
import { Panel } from "../ui/panel.tsx";

export function AboutPanel() {
  const server = useQuery(serverQuery).data;
  if (server === undefined) return null;
  const facts = [
    ["Version", server.version],
    ["Folder", server.folder],
    ["Address of hooks", server.hooksUrl],
    ["Time zone", server.timezone],
    ["Started", new Date(server.startedAt).toLocaleString()],
  ].filter(([, value]) => value !== "");
  return (
    <Panel title="This server">
      <dl className="grid gap-x-6 gap-y-1.5 p-4 sm:grid-cols-[160px_minmax(0,1fr)]">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="font-mono text-sm break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
