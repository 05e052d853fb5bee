// AddBox and ConnectBox: find what to add, or which node to connect to, by typing (spec ui.md 6.2, 6.5).

import { Bookmark, Globe } from "lucide-react";
import { useState } from "react";
import { unfenced } from "../../workflow/import/pasted.ts";
import { KindIcon } from "../canvas/kind-icon.tsx";
import type { CanvasModel } from "../canvas/model.ts";
import { kindWord } from "../canvas/words.ts";
import { RECIPES, recipeText } from "./catalogue.ts";
import { isCurl, looksTyped, onOneLine } from "./curl.ts";
import { KINDS, type Kind, matching } from "./kinds.ts";
import { PickBox } from "./pick-box.tsx";
import { whyNot } from "./rules.ts";
import { type Snippet, useSnippets } from "./snippets.ts";
import { sizeOf } from "./snippets-dialog.tsx";

interface Screen {
  x: number;
  y: number;
}

/** A kind, a piece of a workflow (a snippet or an API call from the catalogue), or a command that the user typed. */
export type Added = { kind: Kind } | { name: string; text: () => Promise<string> } | { command: string };

export function AddBox({ at, onPick, onClose }: { at: Screen; onPick: (what: Added) => void; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const { list } = useSnippets();
  const command = unfenced(query).trim();
  const typed = looksTyped(command)
    ? [
        {
          pick: {
            id: "command",
            name: command.includes("\n") && !isCurl(command) ? "Run this script" : "Run this command",
            says: command,
            icon: <KindIcon type="cli" />,
          },
          what: { command } satisfies Added as Added,
        },
      ]
    : [];
  const all = [
    ...typed,
    ...matching(KINDS, query).map((kind) => ({
      pick: { id: kind.id, name: kind.name, says: kind.says, icon: <KindIcon type={kind.id} /> },
      what: { kind } satisfies Added as Added,
    })),
    ...matching(list.map(findable), query).map(({ name, says, text }) => ({
      pick: { id: `snippet ${name}`, name, says, icon: <Bookmark size={16} aria-hidden="true" />, group: "Snippets" },
      what: { name, text: async () => text },
    })),
    ...matching(RECIPES, query).map(({ id, name, says }) => ({
      pick: { id: `call ${id}`, name, says, icon: <Globe size={16} aria-hidden="true" />, group: "Ready API calls" },
      what: { name, text: () => recipeText(id) },
    })),
  ];
  return (
    <PickBox
      label="Add a node"
      placeholder="What should happen?"
      at={at}
      query={query}
      onQuery={setQuery}
      onPasteLines={(text) => setQuery(onOneLine(unfenced(text)))}
      empty="Nothing is called that. Try command, loop, pages, graphql, or write the command itself."
      picks={all.map(({ pick }) => pick)}
      onPick={(id) => {
        const found = all.find(({ pick }) => pick.id === id);
        if (found !== undefined) onPick(found.what);
      }}
      onClose={onClose}
    />
  );
}

function findable({ name, text }: Snippet) {
  return { name, text, says: sizeOf(text), words: "snippet saved" };
}

export interface ConnectBoxProps {
  model: CanvasModel;
  source: string;
  at: Screen;
  onPick: (target: string, handle: string | undefined) => void;
  onClose: () => void;
}

const SHOWN = 60;

/** An IF node is listed once per port: `true to Post`. */
export function ConnectBox({ model, source, at, onPick, onClose }: ConnectBoxProps) {
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const handles = model.byId.get(source)?.type === "if" ? ["true", "false"] : [undefined];
  const picks = model.order
    .flatMap((id) => (id === source ? [] : (model.byId.get(id) ?? [])))
    .filter(({ id, title }) => `${title} ${id}`.toLowerCase().includes(wanted))
    .flatMap((card) =>
      handles.map((handle) => {
        const link = { source, target: card.id, handle };
        return { card, handle, refused: whyNot(model, link) };
      }),
    )
    .sort((a, b) => Number(a.refused !== undefined) - Number(b.refused !== undefined))
    .slice(0, SHOWN);
  return (
    <PickBox
      label={`Connect ${model.byId.get(source)?.title ?? source} to`}
      placeholder={`Connect ${model.byId.get(source)?.title ?? source} to …`}
      at={at}
      query={query}
      onQuery={setQuery}
      empty="No node is called that."
      picks={picks.map(({ card, handle, refused }) => ({
        id: `${card.id} ${handle ?? ""}`,
        name: handle === undefined ? card.title : `${handle}: ${card.title}`,
        says: `${kindWord(card.type)} · ${card.id}`,
        icon: <KindIcon type={card.type} />,
        refused,
      }))}
      onPick={(id) => {
        const [target = "", handle = ""] = id.split(" ");
        onPick(target, handle === "" ? undefined : handle);
      }}
      onClose={onClose}
    />
  );
}
