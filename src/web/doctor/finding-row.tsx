// FindingRow: one check with its result and a suggested fix.

import { Check, Info, X } from "lucide-react";
import { Copyable } from "../ui/copy.tsx";
import { commandIn, type Finding } from "./summary.ts";

const LOOKS = {
  error: { icon: X, text: "text-failed", word: "wrong" },
  warning: { icon: Info, text: "text-waiting", word: "worth knowing" },
  note: { icon: Info, text: "text-waiting", word: "worth knowing" },
  ok: { icon: Check, text: "text-succeeded", word: "in order" },
} as const;

export function FindingRow({ finding: { level, title, detail, remedy, code } }: { finding: Finding }) {
  const { icon: Icon, text, word } = LOOKS[level];
  return (
    <li className="flex gap-3 border-b border-line px-4 py-2.5 last:border-0">
      <span className={`mt-0.5 shrink-0 ${text}`}>
        <Icon size={15} strokeWidth={2.25} />
        <span className="sr-only">{word}</span>
      </span>
      <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[120px_minmax(0,1fr)] sm:gap-x-4">
        <h3 className="font-semibold">{title}</h3>
        <div className="min-w-0">
          <p className={`break-words ${level === "ok" ? "text-muted" : ""}`}>{detail}</p>
          {remedy !== undefined && <Remedy text={remedy} />}
          {level !== "ok" && <p className="mt-1 font-mono text-xs text-muted">{code}</p>}
        </div>
      </div>
    </li>
  );
}

/** A fix that is only a command gets a copy button. */
function Remedy({ text }: { text: string }) {
  const command = commandIn(text);
  if (command === undefined) return <p className="mt-1 break-words">{text}</p>;
  return <Copyable text={command} label="Copy the command" />;
}
