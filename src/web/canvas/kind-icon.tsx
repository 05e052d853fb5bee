// KindIcon: the icon of a node kind. It is SVG, because some machines show glyphs as empty boxes.

import {
  Braces,
  CircleHelp,
  FileTerminal,
  type LucideIcon,
  Play,
  Repeat2,
  Sigma,
  Sparkles,
  Split,
  SquareTerminal,
  TextQuote,
  Workflow,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  cli: SquareTerminal,
  script: FileTerminal,
  llm: Sparkles,
  variable: Braces,
  if: Split,
  loop: Repeat2,
  "loop-start": Repeat2,
  "loop-end": Repeat2,
  accumulator: Sigma,
  start: Play,
  text: TextQuote,
  subflow: Workflow,
};

export function KindIcon({ type, size = 15, className }: { type: string; size?: number; className?: string }) {
  const Icon = ICONS[type] ?? CircleHelp;
  return <Icon size={size} strokeWidth={2} aria-hidden="true" className={className} />;
}
