// SecretOffer: says that an answer has a token that the run keeps as plain text, and offers to keep it secret in later
// runs.

import { Link } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useMemo } from "react";
import type { NodeView } from "../../../scheduler/view.ts";
import { Button } from "../../ui/button.tsx";
import { isSecretName } from "../given.ts";
import type { RunModel } from "../run-model.ts";
import { useRunActions } from "../use-actions.ts";
import { jsonOf, type Members, secretMember } from "./value.ts";

export type KeepSecret = (id: string, members: Members) => (() => void) | undefined;

interface SecretOfferProps {
  model: RunModel;
  node: NodeView | undefined;
  /** Absent outside the editor. */
  onSecret: KeepSecret | undefined;
}

export function SecretOffer({ model, node, onSecret }: SecretOfferProps) {
  const members = useMemo(() => secretMember(jsonOf(node?.value ?? "")), [node?.value]);
  const isKnown = node?.attempts.at(-1)?.stdout?.secret === true || (node && isSecretName(model, node.id));
  if (node === undefined || members === undefined || isKnown) return null;
  const keep = onSecret?.(node.id, members);
  return (
    <p className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-waiting/10 px-3 py-1 text-sm">
      <KeyRound size={14} aria-hidden="true" className="shrink-0 text-waiting" />
      <span>
        <code>{members.at(-1)}</code> looks like a secret. This run stores it as plain text
        {onSecret !== undefined && keep === undefined ? ", later runs don't. Delete this run to remove it." : "."}
      </span>
      {keep !== undefined && (
        <Button size="small" onClick={keep}>
          Keep it secret
        </Button>
      )}
      {onSecret === undefined && <InEditor {...{ model }} node={node.id} />}
    </p>
  );
}

function InEditor({ model, node }: { model: RunModel; node: string }) {
  const { path } = useRunActions(model);
  if (path === undefined) return null;
  const search = { node, run: model.started.run };
  return (
    <Link to="/w/$path" params={{ path }} search={search} className="text-accent hover:underline">
      Keep it secret in the editor
    </Link>
  );
}
