// operations: what the keys, the canvas, and the outline do to a workflow. Each operation reports why it could not be
// done.

import { connect, disconnect, duplicateNodes, type Link, pieceOf, reconnect, removeNodes } from "../document/index.ts";
import { toast } from "../ui/toast.tsx";
import { addingOn } from "./adding.ts";
import { arrangingOn } from "./arranging.ts";
import { type EditDeps, Editing } from "./editing.ts";
import { whyNot, withLoops } from "./rules.ts";

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
    remove(heal: boolean, hinted = true) {
      const ids = heal ? editing.selected : chosen();
      const along = ids.length - editing.selected.length;
      const links = editing.selectedLinks();
      if (ids.length > 0) {
        if (editing.run(removeNodes(ids, { heal })) && along > 1 && hinted)
          toast("The loop and its body were deleted. Ctrl+Delete deletes the loop alone.");
        // The focus moves to the source of a removed edge.
      } else if (links[0] !== undefined && editing.run(disconnect(links))) canvas()?.focus(links[0].source);
    },
    connect(link: Link) {
      const problem = whyNot(model(), link);
      if (problem !== undefined) toast(problem);
      else if (editing.put(connect(link.source, link.target, link.handle)) && link.source === editing.selected[0])
        editing.show();
    },
    reconnect(old: Link, link: Link) {
      const problem = whyNot(model(), link);
      if (problem !== undefined) toast(problem);
      else editing.put(reconnect(old, link));
    },
    duplicate() {
      if (editing.run(duplicateNodes(editing.doc, chosen()))) editing.show();
    },
    /** The selection as text, including the declarations that it needs. */
    piece: () => pieceOf(editing.doc, chosen()),
    undo: () => undone(session.undo()),
    redo: () => undone(session.redo()),
  };
}
