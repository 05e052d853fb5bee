// document: the public API of the editing model. `perform(doc, edit)` returns the new text and how to undo it. The
// functions below make edits, which are values: `onEdit(setField(id, ["timeout"], "30s"))`.

export { copyNodes, duplicateNodes, isPasteable, isTooLarge, pasteNodes } from "./clipboard.ts";
export {
  addNode,
  connect,
  disconnect,
  moveNodes,
  type NewNode,
  type Point,
  reconnect,
  removeNodes,
  setDocumentField,
  setField,
} from "./edits.ts";
export { type History, noHistory, record, redo, type Step, undo } from "./history.ts";
export { isKept, keepSecret } from "./keep-secret.ts";
export { type Link, linksOf } from "./links.ts";
export { partnersOf, wrapInLoop } from "./loops.ts";
export { type Conflict, lineEdits, linesOf, mergeTexts } from "./merge.ts";
export { changeOf, nodeRanges, openDoc, perform, rootOf } from "./open.ts";
export { insertPiece, otherMeanings, pieceOf } from "./piece.ts";
export {
  freeName,
  named,
  nodesOf,
  type PlainNode,
  renamedId,
  secretsIn,
  secretsOf,
  spoken,
  titleOf,
  together,
} from "./plain.ts";
export { nameInsteadOfEdge, removeReference, renameNode, renameSecret, renameVariable, retitle } from "./rename.ts";
export { applyEdits, editBetween, inverseOf } from "./text-edits.ts";
export type { Applied, Change, Doc, Edit, Plain, TextEdit } from "./types.ts";
