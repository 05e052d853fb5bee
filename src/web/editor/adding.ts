// adding: adds nodes: of a kind, from a snippet or a ready-made call, typed, or pasted.

import { limits } from "../../base/limits.ts";
import type { Point as Place } from "../../workflow/drawing/layout.ts";
import {
  addNode,
  insertPiece,
  isPasteable,
  isTooLarge,
  otherMeanings,
  perform,
  together,
  wrapInLoop,
} from "../document/index.ts";
import { toast } from "../ui/toast.tsx";
import { grouped, size } from "../ui/words.ts";
import { curlEdit, isCurl, isScript, notPasted, readCurl } from "./curl.ts";
import type { Beside, Editing, Placed } from "./editing.ts";
import { dataFor, KINDS, type Kind } from "./kinds.ts";
import { variableNames } from "./read.ts";

const TOO_LARGE = `${size(limits.documentBytesMax)} and ${grouped(limits.nodesMax)} nodes`;

export function addingOn(editing: Editing) {
  /** Text pasted without a point follows the selected node, if exactly one is selected. */
  const pastedAt = (at: Place | undefined): Beside => {
    const [only, ...others] = editing.selected;
    return { at, after: at === undefined && only !== undefined && others.length === 0 ? { source: only } : undefined };
  };
  const addCurl = async (text: string, where: Beside): Promise<void> => {
    const read = await readCurl(text);
    if ("error" in read) {
      toast(read.error);
      return;
    }
    if (editing.add(where, "Pasted", (place) => curlEdit(read, place))) for (const one of read.told) toast(one);
  };
  const addCommand = (text: string, where: Beside): void => {
    const content = text.trim();
    const isLong = content.includes("\n");
    const kind = KINDS.find(({ id }) => id === (isLong ? "script" : "cli"));
    const data = { ...kind?.data, content: isLong ? `${content}\n` : content };
    editing.add(where, "Pasted", (place) => addNode({ type: "cli", data, ...place }));
  };
  const pasteNodes = (text: string, at: Place | undefined): void => {
    const others = otherMeanings(editing.doc, text);
    const edit = insertPiece(text, "Paste", { at: at && [at.x, at.y] });
    if (at === undefined ? !editing.put(edit) : !editing.place(edit)) return;
    editing.show();
    if (others.length > 0) toast(`${listed(others)}: this workflow already has its own, which stays.`);
  };
  return {
    add(kind: Kind, where: Beside) {
      const data = dataFor(kind, where.after !== undefined, variableNames(editing.doc));
      editing.add(where, `${kind.name} added`, (place) =>
        kind.type === "loop" ? newLoop(data, place) : addNode({ type: kind.type, data, ...place }),
      );
    },
    /** Inserts a snippet or a call of the catalogue. */
    insert(name: string, text: string, where: Beside) {
      editing.add(where, `${name} added`, (place) => insertPiece(text, `Add ${name}`, place));
    },
    /** Adds a command that the user typed in the box of kinds. */
    async addTyped(text: string, where: Beside): Promise<void> {
      if (isCurl(text)) await addCurl(text, where);
      else addCommand(text, where);
    },
    async paste(text: string, at: Place | undefined): Promise<void> {
      if (isScript(text)) addCommand(text, pastedAt(at));
      else if (isCurl(text)) await addCurl(text, pastedAt(at));
      else if (isTooLarge(text)) toast(`Nothing was pasted: a workflow has at most ${TOO_LARGE}.`);
      else if (isPasteable(text)) pasteNodes(text, at);
      else toast(notPasted(text));
    },
    wrap() {
      const [first] = editing.selected;
      if (first === undefined || !editing.put(wrapInLoop(editing.selected))) return;
      editing.deps.session.select(editing.selected.slice(0, 1));
      editing.show();
    },
  };

  /** A new loop has a node in its body. */
  function newLoop(data: Kind["data"], place: Placed) {
    const inner = addNode({ type: "text", data: { title: "Repeat this", content: "iteration ${i}" }, ...place });
    const repeated = perform(editing.doc, inner);
    const ids = repeated.ok ? (repeated.value.select ?? []) : [];
    return together("Add Loop", [inner, wrapInLoop(ids, data)]);
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
