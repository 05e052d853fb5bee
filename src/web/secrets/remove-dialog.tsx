// RemoveDialog: removes a secret from the local store after showing what uses it.

import { useMutation } from "@tanstack/react-query";
import type { SecretItem } from "../../api/shapes.ts";
import { ConfirmDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";
import { removeSecret } from "./queries.ts";

export function RemoveDialog({ item: { name, usedBy, source }, onClose }: { item: SecretItem; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: removeSecret,
    onSuccess: () => {
      toast(`Removed ${name}`);
      onClose();
    },
  });
  const users = source === "store" ? usedBy : [];
  const lost = users.length > 0 ? `${count(users.length, "workflow")} will not start without it. ` : "";
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={`${lost}Its value is deleted from the local store and can't be restored.`}
      action="Remove"
      removing={remove}
      onConfirm={() => remove.mutate(name)}
      onClose={onClose}
    >
      <ul className="list-disc pl-5 font-mono text-sm">
        {users.map((user) => (
          <li key={user}>{user}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
