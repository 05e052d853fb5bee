// SnippetsDialog: saves the selection as a named snippet, and lists saved snippets (spec ui.md 6.2).

import { Copy, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { nodesOf, openDoc } from "../document/index.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { forgetSnippet, keepSnippet, useSnippets } from "./snippets.ts";

export interface SnippetsDialogProps {
  /** The selection as YAML. Empty if nothing is selected. */
  piece: string;
  onClose: () => void;
}

export function SnippetsDialog({ piece, onClose }: SnippetsDialogProps) {
  const { list } = useSnippets();
  const [name, setName] = useState("");
  const known = list.some((snippet) => snippet.name === name.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "") return;
    if (!keepSnippet({ name: name.trim(), text: piece })) toast("The browser's storage is full or not available.");
    else {
      toast(`Saved ${name.trim()}. Press A and type its name to add it.`);
      onClose();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Snippets"
      description="Nodes to use again in any workflow. They are stored in this browser as YAML."
    >
      <div className="flex flex-col gap-4 pb-4">
        {piece === "" ? (
          <p className="text-muted">Select nodes first to save them as a snippet.</p>
        ) : (
          <form onSubmit={submit} className="flex items-end gap-2">
            <div className="flex-1">
              <TextField
                label={`Keep ${sizeOf(piece)} as`}
                autoFocus
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder="Fetch and check"
                maxLength={80}
              />
            </div>
            <Button type="submit" kind="primary" disabled={name.trim() === ""}>
              {known ? "Replace" : "Keep"}
            </Button>
          </form>
        )}
        {list.length > 0 && (
          <ul aria-label="Kept snippets" className="flex flex-col">
            {list.map((snippet) => (
              <li key={snippet.name} className="flex min-h-9 items-center gap-2 border-t border-line">
                <span className="min-w-0 flex-1 truncate">{snippet.name}</span>
                <span className="text-sm text-muted">{sizeOf(snippet.text)}</span>
                <IconButton
                  size="small"
                  label={`Copy ${snippet.name}`}
                  icon={<Copy size={14} />}
                  onClick={() => void copyText(snippet.text)}
                />
                <IconButton
                  size="small"
                  label={`Remove ${snippet.name}`}
                  icon={<Trash2 size={14} />}
                  onClick={() => forgetSnippet(snippet.name)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

export function sizeOf(text: string): string {
  return count(nodesOf(openDoc(text, "snippet.yaml").plain ?? {}).length, "node");
}
