// Watches: files whose coming, changing or going starts a run.

import type { FileWatchItem } from "../../api/shapes.ts";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { LastStart } from "./last-start.tsx";
import { TriggerRow } from "./trigger-row.tsx";

const CHANGES = { add: "comes", change: "changes", remove: "goes" };

export function Watches({ items }: { items: readonly FileWatchItem[] }) {
  return (
    <Panel title="File watches">
      <InParts label="File watches" items={items}>
        {(item) => (
          <TriggerRow
            key={item.id}
            id={item.id}
            title={<span className="font-mono text-[13px]">{item.paths.join(", ")}</span>}
            called={`watch of ${item.paths[0] ?? "files"}`}
            workflow={item.workflow}
            paused={item.paused}
            problem={item.problem}
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
