// boxes: the small boxes over the editor: find what to add, or which node to connect to, by typing (spec ui.md 6.2, 6.5),
// rename, snippets, and a schedule.

import { Bookmark, LayoutTemplate } from "lucide-react";
import { useEffect, useState } from "react";
import { tooLong, unfenced } from "../../workflow/import/pasted.ts";
import { KindIcon } from "../canvas/kind-icon.tsx";
import { useIdNow } from "../canvas/use-connecting.ts";
import { kindWord } from "../canvas/words.ts";
import { type Edit, renameNode, setDocumentField } from "../document/index.ts";
import { CurlDialog } from "../home/curl-form.tsx";
import { isRequest } from "../kinds.ts";
import { type ScheduleFields, ScheduleForm } from "../triggers/schedule-form.tsx";
import { withSchedule } from "../triggers/schedules-of.ts";
import { toast } from "../ui/toast.tsx";
import type { Bench } from "./bench.ts";
import { isCurl, looksTyped, onOneLine } from "./curl.ts";
import type { Beside } from "./editing.ts";
import type { Example } from "./examples.ts";
import { KINDS, matching } from "./kinds.ts";
import { addKind, type Screen } from "./moves.ts";
import { type Pick, PickBox } from "./pick-box.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { whyNot } from "./rules.ts";
import { useSnippets } from "./snippets.ts";
import { SnippetsDialog, sizeOf } from "./snippets-dialog.tsx";

export type Box =
  | AddBox
  | ConnectBox
  | { kind: "rename"; id: string }
  | { kind: "snippets" }
  | { kind: "curl" }
  | { kind: "schedule" };

interface AddBox {
  kind: "add";
  screen: Screen;
  where: Beside;
  /** Only examples, to start from. */
  first?: true;
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
      return <AddNode {...{ box, bench, onClose }} />;
    case "connect":
      return <ConnectTo {...{ box, bench, onClose }} />;
    case "rename":
      return (
        <RenameDialog
          id={box.id}
          title={bench.model.byId.get(box.id)?.title ?? box.id}
          onClose={onClose}
          onRename={(to) => session.edit(renameNode(box.id, to))}
        />
      );
    case "snippets":
      return <SnippetsDialog piece={operations.piece()} onClose={onClose} />;
    case "schedule":
      return (
        <ScheduleForm
          title="Add a schedule"
          submit="Add"
          onClose={onClose}
          onSave={(fields) => {
            onClose();
            toast(session.edit(scheduled(fields)) ?? "Schedule added");
          }}
        />
      );
    case "curl":
      return (
        <CurlDialog
          submit="Add to the canvas"
          onClose={onClose}
          onSource={(source) => {
            onClose();
            void operations.addTyped(unfenced(source), {});
          }}
        />
      );
    default:
      return null;
  }
}

function scheduled(fields: ScheduleFields): Edit {
  return {
    label: "Add a schedule",
    apply: (plain, doc) =>
      plain.on === undefined || Array.isArray(plain.on)
        ? setDocumentField(["on"], withSchedule(plain.on, fields)).apply(plain, doc)
        : { ok: false, error: "The triggers in the file are not a list. Change them in the source." },
  };
}

/** A kind, a snippet, an example, or a command that the user typed. */
interface Choice extends Pick {
  add: () => void;
}

interface AddNodeProps {
  bench: Bench;
  box: AddBox;
  onClose: () => void;
}

function AddNode({ box: { screen, where: asked, first }, bench, onClose }: AddNodeProps) {
  const { operations, model } = bench;
  const idNow = useIdNow(model);
  const where = (): Beside => {
    const { after } = asked;
    return after === undefined ? asked : { ...asked, after: { ...after, source: idNow(after.source) } };
  };
  const [query, setQuery] = useState("");
  const [examples, setExamples] = useState<readonly Example[]>([]);
  useEffect(() => {
    import("./examples.ts").then(
      ({ ADDABLE, WHOLE }) => setExamples(first ? WHOLE : ADDABLE),
      () => toast("The examples could not be loaded. Is the server running?"),
    );
  }, [first]);
  const { list } = useSnippets();
  const snippets = list.map(({ name, text }) => ({ name, text, says: sizeOf(text), words: "snippet saved" }));
  const kinds = matching(KINDS, query).map((kind) => ({
    id: kind.id,
    name: kind.name,
    says: kind.says,
    icon: <kind.icon size={15} aria-hidden="true" />,
    add: () => addKind(bench, kind, where()),
  }));
  const nodes = (): Choice[] => [
    // "http request" is a kind, although it looks like a command.
    ...kinds,
    ...typedCommand(query, (command) => void operations.addTyped(command, where())),
    ...matching(snippets, query).map(({ name, says, text }) => ({
      id: `snippet ${name}`,
      name,
      says,
      group: "Snippets",
      icon: <Bookmark size={16} aria-hidden="true" />,
      add: () => operations.insert(name, text, where()),
    })),
  ];
  const choices: Choice[] = [
    ...(first ? [] : nodes()),
    ...matching(examples, query).map(({ id, name, says, text }) => ({
      id: `example ${id}`,
      name,
      says,
      group: "Examples",
      icon: <LayoutTemplate size={16} aria-hidden="true" />,
      add: () => (first ? operations.fromExample(name, text) : operations.insert(name, text, where())),
    })),
  ];
  return (
    <PickBox
      label={first ? "Start from an example" : "Add a node"}
      placeholder={first ? "Find an example…" : "What should happen?"}
      at={screen}
      query={query}
      onQuery={setQuery}
      onPasteLines={(text) => setQuery(onOneLine(unfenced(text)))}
      empty={
        first
          ? "No matches. Try pages, retry, webhook, or model."
          : (tooLong(query) ?? "No matches. Try command, loop, pages, graphql, or write the command itself.")
      }
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
  return [
    {
      id: "command",
      name,
      says: command,
      icon: <KindIcon type={isRequest({ content: command }) ? "http" : "cli"} />,
      add: () => add(command),
    },
  ];
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
      icon: <KindIcon type={card.icon} />,
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
      empty="No matching nodes."
      picks={choices}
      onPick={(id) => {
        onClose();
        const choice = choices.find((one) => one.id === id);
        if (choice !== undefined) void operations.connect(choice.link);
      }}
      onClose={onClose}
    />
  );
}
