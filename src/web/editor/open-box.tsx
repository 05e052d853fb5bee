// OpenBox: the small box that is open over the editor: what is added, what is connected to, another id (spec ui.md 6.2, 6.5).

import type { CanvasModel } from "../canvas/model.ts";
import { renameNode } from "../document/index.ts";
import { AddBox, ConnectBox } from "./boxes.tsx";
import type { Beside, Operations } from "./operations.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import type { Session } from "./session.ts";

export type Box =
  | { kind: "add"; screen: { x: number; y: number }; where: Beside }
  | { kind: "connect"; screen: { x: number; y: number }; source: string }
  | { kind: "rename"; id: string };

export interface OpenBoxProps {
  box: Box;
  model: CanvasModel;
  session: Session;
  operations: Operations;
  onClose: () => void;
}

export function OpenBox({ box, model, session, operations, onClose }: OpenBoxProps) {
  switch (box.kind) {
    case "add":
      return (
        <AddBox
          at={box.screen}
          onClose={onClose}
          onPick={(kind) => {
            onClose();
            operations.add(kind, box.where);
          }}
        />
      );
    case "rename":
      return <RenameDialog id={box.id} onClose={onClose} onRename={(to) => session.edit(renameNode(box.id, to))} />;
    case "connect":
      return (
        <ConnectBox
          model={model}
          source={box.source}
          at={box.screen}
          onClose={onClose}
          onPick={(target, port) => {
            onClose();
            operations.connect({ source: box.source, target, ...(port === undefined ? {} : { handle: port }) });
          }}
        />
      );
  }
}
