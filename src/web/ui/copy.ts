// copyText: copies text to the clipboard and reports the result. Pages over plain HTTP from another machine have no
// clipboard.

import { toast } from "./toast.tsx";

export async function copyText(text: string, told = "Copied"): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  toast(isDone === true ? told : "The browser does not allow this page to copy.");
}
