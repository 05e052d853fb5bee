// FixButtons: the fixes of a finding, for its field and for the list of problems. "Move to a secret" takes a credential
// out of a node's text: its value goes to the local store, and the text names the secret.
//   T1. The value is stored first. If that fails, the document stays as it is.

import { sentence } from "../client/queries.ts";
import type { Finding } from "../code/places.ts";
import type { Doc, Edit } from "../document/index.ts";
import { namesWithValue, sameSecrets, saveSecret } from "../secrets/queries.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { offersOf } from "./fixing.ts";
import { movedOf, type Place } from "./moved.ts";

interface FixButtonsProps {
  finding: Finding;
  doc: Doc;
  onEdit: (edit: Edit) => void;
}

export function FixButtons({ finding, doc, onEdit }: FixButtonsProps) {
  return offersOf(finding, doc).map(({ label, edit, secret }) => (
    <Button
      key={label}
      size="small"
      className="max-w-full"
      onClick={() => {
        if (edit !== undefined) onEdit(edit);
        else if (secret !== undefined) void moveToSecret(secret, doc, onEdit);
      }}
    >
      {label}
    </Button>
  ));
}

async function moveToSecret(place: Place, doc: Doc, onEdit: (edit: Edit) => void): Promise<void> {
  try {
    const taken = await namesWithValue();
    const { edit, names, values } = await movedOf(place, doc, taken, (value) => sameSecrets(value, doc.file));
    for (const [name, value] of values) await saveSecret({ name, value });
    onEdit(edit);
    toast(
      `Moved to ${names.join(", ")}. If the file was ever shared or committed, replace the value where it comes from.`,
    );
  } catch (reason) {
    toast(`It was not moved: ${sentence(reason)}`);
  }
}
