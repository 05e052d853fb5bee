// AddBox and ConnectBox: what is added, and what is connected to, found by typing (spec ui.md 6.2, 6.5).

import { useState } from "react";
import { KindIcon } from "../canvas/kind-icon.tsx";
import type { CanvasModel } from "../canvas/model.ts";
import { kindWord } from "../canvas/words.ts";
import { type Kind, matching } from "./kinds.ts";
import { PickBox } from "./pick-box.tsx";
import { whyNot } from "./rules.ts";

interface Screen {
  x: number;
  y: number;
}

export function AddBox({ at, onPick, onClose }: { at: Screen; onPick: (kind: Kind) => void; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const kinds = matching(query);
  return (
    <PickBox
      label="Add a node"
      placeholder="What should happen?"
      at={at}
      query={query}
      onQuery={setQuery}
      empty="Nothing is called that. Try command, loop, if …"
      picks={kinds.map((kind) => ({
        id: kind.id,
        name: kind.name,
        says: kind.says,
        icon: <KindIcon type={kind.id} />,
      }))}
      onPick={(id) => {
        const kind = kinds.find((one) => one.id === id);
        if (kind !== undefined) onPick(kind);
      }}
      onClose={onClose}
    />
  );
}

export interface ConnectBoxProps {
  model: CanvasModel;
  source: string;
  at: Screen;
  onPick: (target: string, handle: string | undefined) => void;
  onClose: () => void;
}

const SHOWN = 60;

/** Of an IF both ports are offered: `true to Post`. */
export function ConnectBox({ model, source, at, onPick, onClose }: ConnectBoxProps) {
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const handles = model.byId.get(source)?.type === "if" ? ["true", "false"] : [undefined];
  const picks = model.order
    .flatMap((id) => (id === source ? [] : (model.byId.get(id) ?? [])))
    .filter(({ id, title }) => `${title} ${id}`.toLowerCase().includes(wanted))
    .flatMap((card) =>
      handles.map((handle) => {
        const link = { source, target: card.id, ...(handle === undefined ? {} : { handle }) };
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
        ...(refused === undefined ? {} : { refused }),
      }))}
      onPick={(id) => {
        const [target = "", handle = ""] = id.split(" ");
        onPick(target, handle === "" ? undefined : handle);
      }}
      onClose={onClose}
    />
  );
}
