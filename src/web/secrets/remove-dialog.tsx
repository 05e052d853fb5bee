// RemoveDialog: removes a secret from the local store after showing what uses it.

import { useMutation } from "@tanstack/react-query";
import type { SecretItem } from "../../api/shapes.ts";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
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
  const isMissed = usedBy.length > 0 && source === "store";
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      description={
        isMissed
          ? `${count(usedBy.length, "workflow")} will not start without it. Nobody can bring the value back.`
          : "Its value leaves the local store. Nobody can bring it back."
      }
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate(name)}>
            Remove
          </Button>
        </>
      }
    >
      {isMissed && (
        <ul className="list-disc pl-5 font-mono text-sm">
          {usedBy.map((user) => (
            <li key={user}>{user}</li>
          ))}
        </ul>
      )}
      {remove.error !== null && <Problem problem={problemOf(remove.error)} />}
    </Dialog>
  );
}
