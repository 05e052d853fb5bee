// SectionView: fields under one heading. A rarely needed section is collapsed until one of its fields is set. A group
// that can be removed as a whole has a button for it.

import { getIn } from "../document/plain.ts";
import type { Section } from "../kinds.ts";
import { Button } from "../ui/button.tsx";
import { shownData, usePanel } from "./context.ts";
import { setValue } from "./edits.ts";
import { FieldView } from "./fields/field-view.tsx";
import { FieldGrid } from "./fields/plain.tsx";

export function SectionView({ section }: { section: Section }) {
  const panel = usePanel();
  const { node, onEdit } = panel;
  const { title, group, fields, folded } = section;
  const body = <FieldGrid fields={fields} view={FieldView} />;
  if (title === undefined) return body;
  const { data } = shownData(panel);
  const isSet = fields.some(({ path }) => getIn(data, path) !== undefined);
  const heading = "text-sm font-semibold text-muted";
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
              onClick={() => onEdit(setValue(node?.id, [group], undefined, `Remove ${group}`))}
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
