// SectionView: fields under one heading. A rarely needed section is collapsed until one of its fields is set. A group
// that can be removed as a whole has a button for it.

import { getIn } from "../document/plain.ts";
import { Button } from "../ui/button.tsx";
import { usePanel } from "./context.ts";
import { setInDocument, setInNode } from "./edits.ts";
import { FieldView } from "./fields/field-view.tsx";
import type { Control, Section } from "./form.ts";

/** Controls narrow enough for two per row. */
const NARROW: ReadonlySet<Control> = new Set(["duration", "whole", "number", "choice"]);

export function SectionView({ section }: { section: Section }) {
  const { doc, node, inDefaults, onEdit } = usePanel();
  const { title, group, fields, folded } = section;
  const body = (
    <div className="grid grid-cols-1 items-start gap-x-3 gap-y-3.5 @[340px]:grid-cols-2">
      {fields.map((spec) => (
        <div key={`${node?.id} ${spec.path.join(".")}`} className={NARROW.has(spec.control) ? "" : "col-span-full"}>
          <FieldView spec={spec} />
        </div>
      ))}
    </div>
  );
  if (title === undefined) return body;
  const data = inDefaults === true ? doc.plain?.defaults : node?.data;
  const isSet = fields.some(({ path }) => getIn(data, path) !== undefined);
  const heading = "text-xs font-semibold tracking-wide text-muted uppercase";
  // The elements are the same whether or not the group is set, so that the focus stays while the user types.
  if (folded || group !== undefined)
    return (
      <details open={isSet} className="flex flex-col">
        <summary className={`${heading} min-h-6 cursor-pointer`}>{title}</summary>
        <div className="mt-3 flex flex-col gap-4">
          {body}
          {group !== undefined && isSet && (
            <Button
              size="small"
              kind="quiet"
              className="self-start"
              onClick={() =>
                onEdit(
                  node === undefined
                    ? setInDocument(["defaults", group], undefined, `Remove ${group}`)
                    : setInNode(node.id, [group], undefined, `Remove ${group}`),
                )
              }
            >
              Remove {title.toLowerCase()}
            </Button>
          )}
        </div>
      </details>
    );
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className={heading}>{title}</h3>
      {body}
    </section>
  );
}
