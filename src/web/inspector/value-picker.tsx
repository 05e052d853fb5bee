// ValuePicker: the parents' last outputs as trees. Pressing a member inserts it into the text (ui 6.3).

import { parsed } from "../code/complete.ts";
import { InlineTree } from "../run/value/tree-view.tsx";
import type { Members } from "../run/value/value.ts";
import { toast } from "../ui/toast.tsx";
import { usePanel } from "./context.ts";
import { parentsOf } from "./scope.ts";

export function ValuePicker() {
  const { graph, node, last } = usePanel();
  const parents = parentsOf(graph, node?.id ?? "").flatMap((parent) => {
    const held = last.of(parent.node ?? "");
    return held === undefined ? [] : [{ ...parent, value: parsed(held.text) }];
  });
  if (parents.length === 0) return null;
  const insert = async (root: string, members: Members) => {
    const isNamed = members.every((one) => typeof one === "number" || /^[A-Za-z_][\w-]*$/.test(one));
    const { insertReference } = await import("../code/insert.ts");
    if (!isNamed) toast("A reference can't name this part.");
    else if (!insertReference(root, members)) toast("Put the cursor where it belongs first.");
  };
  return (
    <details className="rounded-md border border-line p-3">
      <summary className="min-h-6 cursor-pointer text-sm font-semibold text-muted">Insert an earlier value</summary>
      {parents.map(({ name, from, value }) => (
        <div key={name} className="mt-2">
          <p className="text-xs text-muted">{`\${${name}} ${from}`}</p>
          <InlineTree label={`\${${name}} ${from}`} value={value} onPress={(members) => void insert(name, members)} />
        </div>
      ))}
    </details>
  );
}
