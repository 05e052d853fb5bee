// KindIcon: the icon of a node kind, or `http`. It is SVG in a tinted square (app/styles.css),
// because some machines show glyphs as empty boxes.

import { CircleHelp, Globe } from "lucide-react";
import { isNodeType } from "../../workflow/kinds/index.ts";
import { NODE_VIEWS } from "../kinds.ts";

export function KindIcon({ type, size = 14 }: { type: string; size?: number }) {
  const Icon = type === "http" ? Globe : isNodeType(type) ? NODE_VIEWS[type].icon : CircleHelp;
  return (
    <span className="kind-icon" data-kind={type} aria-hidden="true">
      <Icon size={size} strokeWidth={2} />
    </span>
  );
}
