// copyText: a text to the clipboard, told in a word either way.
//   C1. A page that came over plain HTTP from another machine has no clipboard of its own (a phone in the same network): there the browser's
//       old command copies what is selected.

import { toast } from "./toast.tsx";

export async function copyText(text: string, told = "Copied"): Promise<void> {
  const isDone = await write(text).catch(() => false);
  toast(isDone ? told : "The browser does not let this page copy.");
}

async function write(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text);
  await navigator.clipboard.writeText(text);
  return true;
}

/** C1. In the dialog that is open, if any: it keeps the focus to itself. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  (before?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
