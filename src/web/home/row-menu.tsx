// RowMenu: more actions on a workflow of the list: star, rename, duplicate, history, delete.

import { useNavigate } from "@tanstack/react-router";
import { Copy, Ellipsis, History, Pencil, Play, Star, Timer, Trash2 } from "lucide-react";
import { useState } from "react";
import type { WorkflowItem } from "../../api/shapes.ts";
import { useStartRun } from "../app/start-run.tsx";
import { problemOf, sentence } from "../client/queries.ts";
import { TextField } from "../ui/field.tsx";
import { ConfirmDialog, FormDialog } from "../ui/form-dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";
import { deleteDocument, duplicateDocument, renameDocument } from "./edit-document.ts";
import { fileNameFor } from "./file-names.ts";
import { moveStar, setStar } from "./stars.ts";

export function RowMenu({ item, starred }: { item: WorkflowItem; starred: boolean }) {
  const { path, name } = item;
  const navigate = useNavigate();
  const start = useStartRun();
  const [asked, setAsked] = useState<"rename" | "delete">();
  const close = () => setAsked(undefined);
  const duplicate = () =>
    duplicateDocument(path, name).then(
      (made) => {
        const without = made.hadTriggers ? " The copy has no triggers, so that nothing starts twice." : "";
        const open = () => void navigate({ to: "/w/$path", params: { path: made.path } });
        toast(`Copied to ${made.path}.${without}`, { label: "Open", onPress: open });
      },
      (reason: unknown) => toast(`${name} was not copied: ${sentence(reason)}`),
    );
  return (
    <>
      <Menu
        label={`More for ${name}`}
        trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis size={15} />} className="relative z-10" />}
        items={[
          ...(Object.keys(item.inputs).length > 0 && item.errors === 0
            ? [{ label: "Run with inputs…", icon: <Play />, onSelect: () => start({ ...item, asks: true }) }]
            : []),
          {
            label: starred ? "Remove the star" : "Star",
            icon: <Star />,
            onSelect: () => setStar(path, !starred),
          },
          { label: "Rename…", icon: <Pencil />, onSelect: () => setAsked("rename") },
          { label: "Duplicate", icon: <Copy />, onSelect: () => void duplicate() },
          {
            label: "Run history",
            icon: <History />,
            onSelect: () => void navigate({ to: "/runs", search: { workflow: path } }),
          },
          {
            label: "Triggers",
            icon: <Timer />,
            onSelect: () => void navigate({ to: "/triggers", search: { text: path } }),
          },
          "-",
          { label: "Delete…", icon: <Trash2 />, danger: true, onSelect: () => setAsked("delete") },
        ]}
      />
      {asked === "rename" && <Rename item={item} onClose={close} />}
      {asked === "delete" && <Delete item={item} onClose={close} />}
    </>
  );
}

function Rename({ item: { path, name, errors }, onClose }: { item: WorkflowItem; onClose: () => void }) {
  const [wanted, setWanted] = useState({ name, file: path });
  const [taken, setTaken] = useState<string>();
  const to = wanted.file.trim() === path ? path : fileNameFor(wanted.file);
  const title = wanted.name.trim();
  const save = () =>
    renameDocument(path, { name: title === name ? undefined : title, to }).then(
      (now) => {
        moveStar(path, now);
        onClose();
      },
      (reason: unknown) => {
        if (problemOf(reason).code !== "document-exists") throw reason;
        setTaken(to);
      },
    );
  const change = (next: Partial<typeof wanted>) => setWanted({ ...wanted, ...next });
  return (
    <FormDialog
      title={`Rename ${name}`}
      description="Runs, schedules, and webhooks follow the file. Workflows that name this file as a subflow need its new name."
      submit="Rename"
      disabled={to === "" || title === "" || (to === path && title === name)}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={wanted.name}
        disabled={errors > 0}
        help={errors > 0 ? "Fix the errors in the file to change its name." : undefined}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label="File"
        value={wanted.file}
        help={to === path || to === wanted.file ? "A path in the served folder." : `Becomes ${to}`}
        error={taken === to ? `${to} already exists. Choose another name.` : undefined}
        onChange={({ target }) => change({ file: target.value })}
      />
    </FormDialog>
  );
}

function Delete({ item: { path, name, triggers, running }, onClose }: { item: WorkflowItem; onClose: () => void }) {
  const remove = async () => {
    const undo = await deleteDocument(path);
    onClose();
    const back = () => void undo().catch((reason: unknown) => toast(`${path} stays deleted: ${sentence(reason)}`));
    toast(`${name} deleted`, { label: "Undo", onPress: back });
  };
  const parts = [
    "Its runs stay in the run history.",
    triggers.length > 0 && `Its triggers (${triggers.join(", ")}) stop.`,
    running > 0 && "Active runs continue.",
  ];
  return (
    <ConfirmDialog
      title={`Delete ${path}?`}
      description={`The file is removed from the folder. ${parts.filter(Boolean).join(" ")}`}
      action="Delete"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
