// OpenBox: whichever small box is open over the editor: add, connect, or rename (spec ui.md 6.2, 6.5).

import type { CanvasModel } from "../canvas/model.ts";
import { renameNode } from "../document/index.ts";
import { toast } from "../ui/toast.tsx";
import { AddBox, ConnectBox } from "./boxes.tsx";
import type { Beside, Operations } from "./operations.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import type { Session } from "./session.ts";
import { SnippetsDialog } from "./snippets-dialog.tsx";

export type Box =
  | { kind: "add"; screen: { x: number; y: number }; where: Beside }
  | { kind: "connect"; screen: { x: number; y: number }; source: string }
  | { kind: "rename"; id: string }
  | { kind: "snippets" };

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
          onPick={(what) => {
            onClose();
            if ("kind" in what) operations.add(what.kind, box.where);
            else if ("command" in what) void operations.addTyped(what.command, box.where);
            else
              what.text().then(
                (text) => operations.insert(what.name, text, box.where),
                () => toast("It could not be loaded. Is the server there?"),
              );
          }}
        />
      );
    case "snippets":
      return <SnippetsDialog piece={operations.piece()} onClose={onClose} />;
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
            operations.connect({ source: box.source, target, handle: port });
          }}
        />
      );
  }
}
