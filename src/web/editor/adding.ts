// adding: adds nodes: of a kind, from a snippet or a ready-made call, typed, or pasted.

import { limits } from "../../base/limits.ts";
import type { Point as Place } from "../../workflow/drawing/layout.ts";
import { isSame } from "../document/equal.ts";
import {
  addNode,
  editBetween,
  insertPiece,
  isPasteable,
  isTooLarge,
  keepSecret,
  otherMeanings,
  perform,
  together,
  wrapInLoop,
} from "../document/index.ts";
import type { Members } from "../run/value/value.ts";
import { askSecrets } from "../secrets/asking.tsx";
import { envEntries } from "../secrets/env-text.ts";
import { namesWithValue } from "../secrets/queries.ts";
import { toast } from "../ui/toast.tsx";
import { grouped, size } from "../ui/words.ts";
import { curlEdit, isCurl, isScript, notPasted, readCurl, titleOfCommand, withSecrets } from "./curl.ts";
import type { Beside, Editing, Placed } from "./editing.ts";
import { hasValue, readsStdin } from "./feeding.ts";
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
    const read = await readCurl(text, namesWithValue);
    if ("error" in read) {
      toast(read.error);
      return;
    }
    editing.add(where, "Pasted", (place) => curlEdit(read, place), { count: read.nodes.length });
  };
  const addCommand = async (text: string, where: Beside): Promise<void> => {
    const content = text.trim();
    const data = dataOf(content);
    const { after } = where;
    const isFed = after !== undefined && hasValue(editing.doc.plain ?? {}, after);
    if (isFed && (await readsStdin({ content }))) data.stdin = after.source;
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
    /** `focus`: whether the new node gets the focus. */
    add(kind: Kind, where: Beside, focus: boolean) {
      const data = dataFor(kind, where.after !== undefined, variableNames(editing.doc));
      const make = (place: Placed) =>
        kind.id === "loop" ? newLoop(data, place) : addNode({ type: kind.type, data, ...place });
      editing.add(where, `${kind.name} added`, make, { focus });
    },
    /** Inserts a snippet or an example. */
    insert(name: string, text: string, where: Beside) {
      editing.add(where, `${name} added`, (place) => insertPiece(text, `Add ${name}`, place));
    },
    /** Starts a workflow from an example. One that has only a name becomes the example, with all its parts. */
    fromExample(name: string, text: string) {
      const { doc, session } = { doc: editing.doc, session: editing.deps.session };
      const { curlew: _, name: own, nodes = [], ...others } = doc.plain ?? {};
      const isNew = Object.keys(others).length === 0 && isSame(nodes, []);
      if (isNew) session.type(editBetween(doc.text, named(text, own)), `Start from ${name}`);
      else editing.add({}, `${name} added`, (place) => insertPiece(text, `Add ${name}`, place));
    },
    /** Adds a command that the user typed in the box of kinds. */
    async addTyped(text: string, where: Beside): Promise<void> {
      if (isCurl(text)) await addCurl(text, where);
      else await addCommand(text, where);
    },
    async paste(text: string, at: Place | undefined): Promise<void> {
      if (isScript(text)) await addCommand(text, pastedAt(at));
      else if (isCurl(text)) await addCurl(text, pastedAt(at));
      else if (isTooLarge(text)) toast(`Nothing was pasted: a workflow has at most ${TOO_LARGE}.`);
      else if (isPasteable(text)) pasteNodes(text, at);
      else if (envEntries(text).size > 0)
        askSecrets({ names: [], first: text, onDone: (names) => void editing.run(withSecrets(names)) });
      else toast(notPasted(text));
    },
    /** Adds a secret Variable beside the node. It needs no edge, because it names the value. */
    keepSecret(id: string, members: Members) {
      editing.add({ after: { source: id } }, "Secret Variable added", ({ at }) => keepSecret(id, members, at));
    },
    wrap() {
      const [first] = editing.selected;
      if (first === undefined || !editing.put(wrapInLoop(editing.selected))) return;
      editing.deps.session.select(editing.selected.slice(0, 1));
      editing.show();
    },
  };

  /** A new loop is empty. Its start is selected. */
  function newLoop(data: Kind["data"], place: Placed) {
    const start = addNode({ type: "loop-start", data, ...place });
    const made = perform(editing.doc, start);
    const [id = ""] = made.ok ? (made.value.select ?? []) : [];
    const end = addNode({ id: "loop_end", type: "loop-end", data: { title: "End of loop" }, after: { source: id } });
    return together("Add Loop", [start, end, { label: "", apply: (plain) => ({ ok: true, plain, select: [id] }) }]);
  }
}

/** The data of a node with this command, or with this script if it has several lines. */
function dataOf(content: string): Kind["data"] {
  const isLong = content.includes("\n");
  const kind = KINDS.find(({ id }) => id === (isLong ? "script" : "cli"));
  if (isLong) return { ...kind?.data, content: `${content}\n` };
  return { ...kind?.data, title: titleOfCommand(content) ?? kind?.data.title, content };
}

/** The text with the name that the user gave, if it is one. */
function named(text: string, name: unknown): string {
  const isOwn = typeof name === "string" && !/^Untitled(?: \d+)?$/.test(name);
  return isOwn ? text.replace(/^name:.*$/m, () => `name: ${JSON.stringify(name)}`) : text;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
