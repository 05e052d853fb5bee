// copy: copies text to the clipboard and reports the result. Pages over plain HTTP from another machine have no
// clipboard.

import { Copy } from "lucide-react";
import { IconButton } from "./icon-button.tsx";
import { toast } from "./toast.tsx";

export async function copyText(text: string, done = "Copied"): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  toast(isDone === true ? done : "The browser does not allow this page to copy.");
}

/** A command or URL with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="mt-1.5 flex w-fit max-w-full items-start gap-1 rounded-md bg-sunken py-1 pr-1 pl-2.5">
      <code className="min-w-0 flex-1 py-0.5 break-all">{text}</code>
      <IconButton label={label} size="small" icon={<Copy />} onClick={() => void copyText(text)} />
    </div>
  );
}
