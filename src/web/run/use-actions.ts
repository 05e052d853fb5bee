// use-actions: the actions of the run page: cancel, retry, run again. Each reports its result.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { at } from "../../api/address.ts";
import type { StartedRun } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { sentence, workflowsQuery } from "../client/queries.ts";
import { toast } from "../ui/toast.tsx";
import type { RunModel } from "./run-model.ts";

/**
 * The served workflow of the run. `isElsewhere`: its file is not in the served folder; unknown until the workflows are
 * loaded.
 */
function useWorkflowPath(model: RunModel): { path: string | undefined; isElsewhere: boolean } {
  const { data } = useQuery(workflowsQuery);
  const { file } = model.started.workflow;
  const path = data?.find(({ path }) => file === path || file.endsWith(`/${path}`))?.path;
  return { path, isElsewhere: data !== undefined && path === undefined };
}

export function useRunActions(model: RunModel) {
  const navigate = useNavigate();
  const id = model.started.run;
  const { path, isElsewhere } = useWorkflowPath(model);
  const onError = (reason: unknown) => toast(sentence(reason));
  const asked = {
    onError,
    onSuccess: ({ id: run }: StartedRun) => void navigate({ to: "/runs/$id", params: { id: run } }),
  };
  const cancel = useMutation({ mutationFn: () => ask<void>(at("runs", id, "cancel"), { method: "POST" }), onError });
  const retry = useMutation({
    mutationFn: (from?: string) => ask<StartedRun>(at("runs", id, "retry"), { method: "POST", body: { from } }),
    ...asked,
  });
  const again = useMutation({
    mutationFn: () =>
      ask<StartedRun>(at("workflows", path ?? "", "runs"), { method: "POST", body: { inputs: model.started.inputs } }),
    ...asked,
  });
  return { cancel, retry, again, path, isElsewhere };
}
