// boxes: the small boxes over the editor: find what to add, or which node to connect to, by typing (spec ui.md 6.2, 6.5),
// rename, and snippets.

import { Bookmark, Globe } from "lucide-react";
import { useState } from "react";
import { unfenced } from "../../workflow/import/pasted.ts";
import { KindIcon } from "../canvas/kind-icon.tsx";
import { kindWord } from "../canvas/words.ts";
import { renameNode } from "../document/index.ts";
import { toast } from "../ui/toast.tsx";
import type { Bench } from "./bench.ts";
import { RECIPES, recipeText } from "./catalogue.ts";
import { isCurl, looksTyped, onOneLine } from "./curl.ts";
import type { Beside } from "./editing.ts";
import { KINDS, matching } from "./kinds.ts";
import type { Screen } from "./moves.ts";
import { type Pick, PickBox } from "./pick-box.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { whyNot } from "./rules.ts";
import { useSnippets } from "./snippets.ts";
import { SnippetsDialog, sizeOf } from "./snippets-dialog.tsx";

export type Box = AddBox | ConnectBox | { kind: "rename"; id: string } | { kind: "snippets" };

interface AddBox {
  kind: "add";
  screen: Screen;
  where: Beside;
}

interface ConnectBox {
  kind: "connect";
  screen: Screen;
  source: string;
}

export function OpenBox({ bench }: { bench: Bench }) {
  const { box, session, operations } = bench;
  const onClose = () => bench.setBox(undefined);
  switch (box?.kind) {
    case "add":
      return <AddNode {...{ box, operations, onClose }} />;
    case "connect":
      return <ConnectTo {...{ box, bench, onClose }} />;
    case "rename":
      return <RenameDialog id={box.id} onClose={onClose} onRename={(to) => session.edit(renameNode(box.id, to))} />;
    case "snippets":
      return <SnippetsDialog piece={operations.piece()} onClose={onClose} />;
    default:
      return null;
  }
}

/** A kind, a snippet, a ready API call, or a command that the user typed. */
interface Choice extends Pick {
  add: () => void;
}

interface AddNodeProps {
  operations: Bench["operations"];
  box: AddBox;
  onClose: () => void;
}

function AddNode({ box: { screen, where }, operations, onClose }: AddNodeProps) {
  const [query, setQuery] = useState("");
  const { list } = useSnippets();
  const snippets = list.map(({ name, text }) => ({ name, text, says: sizeOf(text), words: "snippet saved" }));
  const insert = (name: string, text: Promise<string>) =>
    text.then(
      (loaded) => operations.insert(name, loaded, where),
      () => toast("It could not be loaded. Is the server running?"),
    );
  const choices: Choice[] = [
    ...typedCommand(query, (command) => void operations.addTyped(command, where)),
    ...matching(KINDS, query).map((kind) => ({
      id: kind.id,
      name: kind.name,
      says: kind.says,
      icon: <KindIcon type={kind.id} />,
      add: () => operations.add(kind, where),
    })),
    ...matching(snippets, query).map(({ name, says, text }) => ({
      id: `snippet ${name}`,
      name,
      says,
      group: "Snippets",
      icon: <Bookmark size={16} aria-hidden="true" />,
      add: () => operations.insert(name, text, where),
    })),
    ...matching(RECIPES, query).map(({ id, name, says }) => ({
      id: `call ${id}`,
      name,
      says,
      group: "Ready API calls",
      icon: <Globe size={16} aria-hidden="true" />,
      add: () => void insert(name, recipeText(id)),
    })),
  ];
  return (
    <PickBox
      label="Add a node"
      placeholder="What should happen?"
      at={screen}
      query={query}
      onQuery={setQuery}
      onPasteLines={(text) => setQuery(onOneLine(unfenced(text)))}
      empty="Nothing is called that. Try command, loop, pages, graphql, or write the command itself."
      picks={choices}
      onPick={(id) => {
        onClose();
        choices.find((choice) => choice.id === id)?.add();
      }}
      onClose={onClose}
    />
  );
}

function typedCommand(query: string, add: (command: string) => void): Choice[] {
  const command = unfenced(query).trim();
  if (!looksTyped(command)) return [];
  const name = command.includes("\n") && !isCurl(command) ? "Run this script" : "Run this command";
  return [{ id: "command", name, says: command, icon: <KindIcon type="cli" />, add: () => add(command) }];
}

interface ConnectToProps {
  box: ConnectBox;
  bench: Bench;
  onClose: () => void;
}

const SHOWN = 60;

/** An IF node is listed once per port: `true to Post`. */
function ConnectTo({ box: { screen, source }, bench, onClose }: ConnectToProps) {
  const { model, operations } = bench;
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const from = model.byId.get(source);
  const handles = from?.type === "if" ? ["true", "false"] : [undefined];
  const choices = model.order
    .flatMap((id) => (id === source ? [] : (model.byId.get(id) ?? [])))
    .filter(({ id, title }) => `${title} ${id}`.toLowerCase().includes(wanted))
    .flatMap((card) => handles.map((handle) => ({ card, link: { source, target: card.id, handle } })))
    .map(({ card, link }) => ({
      id: `${card.id} ${link.handle ?? ""}`,
      name: link.handle === undefined ? card.title : `${link.handle}: ${card.title}`,
      says: `${kindWord(card.type)} · ${card.id}`,
      icon: <KindIcon type={card.type} />,
      refused: whyNot(model, link),
      link,
    }))
    .sort((a, b) => Number(a.refused !== undefined) - Number(b.refused !== undefined))
    .slice(0, SHOWN);
  return (
    <PickBox
      label={`Connect ${from?.title ?? source} to`}
      placeholder={`Connect ${from?.title ?? source} to …`}
      at={screen}
      query={query}
      onQuery={setQuery}
      empty="No node is called that."
      picks={choices}
      onPick={(id) => {
        onClose();
        const choice = choices.find((one) => one.id === id);
        if (choice !== undefined) operations.connect(choice.link);
      }}
      onClose={onClose}
    />
  );
}
