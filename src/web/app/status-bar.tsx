// StatusBar: live or not, and up to which event; what is saved; who waits (spec ui 6.1).

import { useStream } from "../client/stream.ts";

export function StatusBar() {
  const { status, position } = useStream();
  return (
    <footer className="flex items-center gap-4 border-t border-line bg-panel px-4 text-xs text-muted sm:col-span-2">
      <span>{status === "live" ? `live · event ${position ?? 0}` : status}</span>
    </footer>
  );
}
