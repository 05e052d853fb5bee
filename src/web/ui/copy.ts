// copyText: a text to the clipboard, told in a word either way. A page over plain HTTP from another machine has no clipboard.

import { toast } from "./toast.tsx";

export async function copyText(text: string, told = "Copied"): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  toast(isDone === true ? told : "The browser does not allow this page to copy.");
}
