// KindIcon: the icon of a node kind. It is SVG, because some machines show glyphs as empty boxes.

import { CircleHelp } from "lucide-react";
import { KINDS } from "../editor/kinds.ts";

export function KindIcon({ type, size = 15, className }: { type: string; size?: number; className?: string }) {
  const kind = type.startsWith("loop-") ? "loop" : type;
  const Icon = KINDS.find(({ id }) => id === kind)?.icon ?? CircleHelp;
  return <Icon size={size} strokeWidth={2} aria-hidden="true" className={className} />;
}
