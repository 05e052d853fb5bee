// references: marks `${…}` in an editor as known, secret, or unknown, explains references on hover, and completes names
// (ui 6.3).
//   H1. Only visible text is processed, so a keystroke costs the same in long and short scripts.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { type Extension, Facet, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  hoverTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { type Explained, explain, type Grounds, offersAt } from "./complete.ts";
import { escapeLeaves } from "./setup.ts";

export interface CodeGrounds extends Grounds {
  /** Leaves unknown names unmarked, because they can be shell variables. */
  lenient?: boolean;
}

/** The names that the editor knows. Replaced when the document or the last run changes. */
export const groundsOf = Facet.define<CodeGrounds, CodeGrounds>({
  combine: (given) => given[0] ?? { mode: "template", names: [] },
});

const known = Decoration.mark({ class: "cm-ref" });
const secret = Decoration.mark({ class: "cm-ref cm-ref-secret" });
const unknown = Decoration.mark({ class: "cm-ref cm-ref-unknown" });

const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marksIn(view);
    }
    update(update: ViewUpdate) {
      const other = update.startState.facet(groundsOf) !== update.state.facet(groundsOf);
      if (update.docChanged || update.viewportChanged || other) this.decorations = marksIn(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function marksIn(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { at, told } of visible(view)) {
    const { reference } = told;
    const mark = told.known === undefined ? unknown : told.known.secret === true ? secret : known;
    if (mark === unknown && view.state.facet(groundsOf).lenient === true) continue;
    builder.add(at + reference.start, at + reference.end, mark);
  }
  return builder.finish();
}

function* visible(view: EditorView): Generator<{ at: number; told: Explained }> {
  const grounds = view.state.facet(groundsOf);
  for (const { from, to } of view.visibleRanges) {
    const start = view.state.doc.lineAt(from).from;
    const end = view.state.doc.lineAt(to).to;
    const text = view.state.sliceDoc(start, end);
    if (text.includes("${")) for (const told of explain(text, grounds)) yield { at: start, told };
  }
}

const hover = hoverTooltip((view, pos): Tooltip | null => {
  const line = view.state.doc.lineAt(pos);
  const grounds = view.state.facet(groundsOf);
  const told = explain(line.text, grounds).find(
    ({ reference }) => line.from + reference.start <= pos && pos <= line.from + reference.end,
  );
  if (told === undefined || (told.known === undefined && grounds.lenient === true)) return null;
  return {
    pos: line.from + told.reference.start,
    end: line.from + told.reference.end,
    above: true,
    create: () => ({ dom: tooltip(told) }),
  };
});

function tooltip({ reference, known: name, value, origin }: Explained): HTMLElement {
  const box = document.createElement("div");
  box.className = "cm-ref-tip px-2 py-1.5 text-sm";
  const head = box.appendChild(document.createElement("div"));
  head.textContent = name === undefined ? `Nothing here is called ${reference.root}.` : sentence(name.from);
  if (name !== undefined) {
    const last = box.appendChild(document.createElement("div"));
    last.className = value === undefined ? "text-muted" : "font-mono text-xs break-all";
    last.textContent = value ?? (name.secret ? "" : "No value was recorded in the last runs.");
    if (value !== undefined && origin !== undefined) {
      const source = box.appendChild(document.createElement("div"));
      source.className = "text-muted";
      source.textContent = sentence(origin);
    }
  }
  return box;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function complete(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const from = Math.max(0, state.doc.lineAt(pos).from - 2_000);
  const text = state.sliceDoc(from, Math.min(state.doc.length, pos + 200));
  const found = offersAt(text, pos - from, state.facet(groundsOf), explicit);
  if (found === undefined || found.offers.length === 0) return null;
  return {
    from: from + found.from,
    to: from + found.to,
    filter: !found.offers.some(({ insert }) => insert.startsWith("${")),
    options: found.offers.map(({ label, detail, insert, kind }, at) => ({
      label,
      // In this order, not by the alphabet: what Curlew sets comes last.
      sortText: String(at).padStart(5, "0"),
      detail,
      type: kind === "member" ? "property" : kind === "filter" ? "keyword" : "variable",
      apply: (view: EditorView, _picked, start: number, end: number) =>
        view.dispatch({
          changes: { from: start, to: end, insert },
          selection: { anchor: start + insert.length },
          userEvent: "input.complete",
        }),
    })),
  };
}

/** Marks, hover, and completion. The names come from `groundsOf`. */
export function references(): Extension {
  return [marks, hover, escapeLeaves, autocompletion({ override: [complete], icons: false, activateOnTyping: true })];
}
