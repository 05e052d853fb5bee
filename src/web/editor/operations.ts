// operations: what the keys, the canvas, and the outline do to a workflow. Each operation reports why it could not be
// done.

import { boxesOf } from "../../workflow/drawing/layout.ts";
import {
  disconnect,
  duplicateNodes,
  type Edit,
  type Link,
  moveNodes,
  pieceOf,
  removeNodes,
  removeReference,
  together,
} from "../document/index.ts";

import { toast } from "../ui/toast.tsx";
import { addingOn } from "./adding.ts";
import { arrangingOn } from "./arranging.ts";
import { type EditDeps, Editing } from "./editing.ts";
import { connectFed, rewired } from "./feeding.ts";
import { emptiedLoops, whyNot, withLoops } from "./rules.ts";

export type Operations = ReturnType<typeof operationsOn>;

export function operationsOn(deps: EditDeps) {
  const editing = new Editing(deps);
  const { session, model, canvas } = deps;
  /** Selected nodes, with the whole body of each loop. */
  const chosen = (): string[] => withLoops(model(), editing.selected);
  const undone = (problem: string | undefined): void => {
    if (problem !== undefined) toast(problem);
  };
  return {
    ...addingOn(editing),
    ...arrangingOn(editing),
    /** `hinted`: a message says what else was deleted. */
    remove(reconnects: boolean, hinted = true) {
      const ids = reconnects ? editing.selected : chosen();
      const emptied = emptiedLoops(model(), ids);
      const heal = reconnects || emptied.length > 0;
      const along = ids.length - editing.selected.length;
      const links = editing.selectedLinks();
      const reference = editing.selectedReference();
      if (ids.length > 0) {
        const edit = removeNodes(ids, { heal });
        const boxes = boxesOf(model(), model().positions);
        // The box of an empty loop stays where it is.
        const places = emptied.flatMap((id) => {
          const box = model().unplaced.includes(id) ? undefined : boxes.get(id);
          return box === undefined ? [] : [[id, [box.x, box.y]] as const];
        });
        if (editing.run(together(edit.label, [edit, moveNodes(Object.fromEntries(places))])) && along > 1 && hinted)
          toast("The loop and its body were deleted. Ctrl+Delete deletes the loop alone.");
        // The focus moves to the source of a removed edge.
      } else if (links[0] !== undefined) {
        if (editing.run(disconnect(links))) canvas()?.focus(links[0].source);
      } else if (reference !== undefined) {
        const { source, target } = reference;
        const title = (id: string) => model().byId.get(id)?.title ?? id;
        const edit = removeReference(source, target);
        if (edit.apply(editing.doc.plain ?? {}, editing.doc).ok)
          toast(`"${title(target)}" names the value of "${title(source)}".`, {
            label: `Remove \${${source}} from ${title(target)}`,
            onPress: () => editing.run(edit),
          });
        else toast(`"${title(target)}" names the value of "${title(source)}" in an expression. Change it there.`);
      }
    },
    async connect(link: Link): Promise<void> {
      const problem = whyNot(model(), link);
      if (problem !== undefined) {
        toast(problem);
        return;
      }
      const { edit, offer } = await connectFed(editing.doc, link);
      if (!editing.put(edit)) return;
      if (link.source === editing.selected[0]) editing.show();
      if (offer !== undefined)
        toast(offer.text, { label: offer.label, onPress: () => editing.run(offer.edit, offer.label) });
    },
    reconnect(old: Link, link: Link) {
      const problem = whyNot(model(), link);
      if (problem !== undefined) toast(problem);
      else editing.put(rewired(editing.doc, old, link));
    },
    duplicate() {
      if (editing.run(duplicateNodes(editing.doc, chosen()))) editing.show();
    },
    /** The selection as text, including the declarations that it needs. */
    piece: () => pieceOf(editing.doc, chosen()),
    edit: (edit: Edit) => editing.run(edit),
    undo: () => undone(session.undo()),
    redo: () => undone(session.redo()),
  };
}
