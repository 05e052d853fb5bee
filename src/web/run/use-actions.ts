// use-actions: the actions of a run: cancel, retry, run again. Each reports its result.
//   A1. A retry says which document it runs: the current file if it differs from the recorded one, unless the user
//       chooses the recorded one. "Run again" always means the current file with the same inputs.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { at } from "../../api/address.ts";
import type { RetryRun, StartedRun, WorkflowItem } from "../../api/shapes.ts";
import { ask, askRaw } from "../client/api.ts";
import { keys, sentence, workflowsQuery } from "../client/queries.ts";
import { toast } from "../ui/toast.tsx";
import { changesSince, isChanged, NO_CHANGES } from "./changes.ts";
import type { RunModel } from "./run-model.ts";

function pathIn(workflows: readonly WorkflowItem[] | undefined, file: string): string | undefined {
  return workflows?.find(({ path }) => file === path || file.endsWith(`/${path}`))?.path;
}

/**
 * The served workflow of the run. `isElsewhere`: its file is not in the served folder; unknown until the workflows are
 * loaded. `changes`: what differs in the files since the run, as far as they are served.
 */
function useFileOf(model: RunModel, isOver: boolean) {
  const { data } = useQuery(workflowsQuery);
  const { started } = model;
  const { file } = started.workflow;
  const path = pathIn(data, file);
  const texts = useQuery({
    // Under the key that a change of any document invalidates.
    queryKey: [...keys.workflows, "texts", started.run],
    queryFn: async ({ signal }) => {
      const files = [file, ...Object.keys(started.subflows ?? {})];
      return Object.fromEntries(await Promise.all(files.map(async (each) => [each, await textOf(each, signal)])));
    },
    enabled: path !== undefined && isOver,
    staleTime: 0,
  });
  async function textOf(each: string, signal: AbortSignal): Promise<string | undefined> {
    const served = pathIn(data, each);
    if (served === undefined) return undefined;
    return (await askRaw(at("workflows", served), { signal, headers: { accept: "text/plain" } })).text();
  }
  const changes = useMemo(
    () => (texts.data === undefined ? NO_CHANGES : changesSince(started, texts.data)),
    [started, texts.data],
  );
  return { path, isElsewhere: data !== undefined && path === undefined, changes };
}

export function useRunActions(model: RunModel, { isOver }: { isOver: boolean } = model) {
  const navigate = useNavigate();
  const id = model.started.run;
  const file = useFileOf(model, isOver);
  const onError = (reason: unknown) => toast(sentence(reason));
  const cancel = useMutation({ mutationFn: () => ask<void>(at("runs", id, "cancel"), { method: "POST" }), onError });
  const retry = useMutation({
    mutationFn: (body: RetryRun) => retryRun(id, body),
    onError,
    onSuccess: ({ id: run }) => void navigate({ to: "/runs/$id", params: { id: run } }),
  });
  // Its text has a secret, so it was not recorded as it was.
  const hasRecord = model.started.sealedDocument === undefined;
  /** A1. */
  const current = isChanged(file.changes) || !hasRecord ? true : undefined;
  return {
    ...{ cancel, retry, current, hasRecord, ...file },
    /** The file is not the one that the run recorded. */
    differs: isChanged(file.changes) || file.changes.isBroken,
    again: () => retry.isPending || retry.mutate({ all: true, current: true }),
  };
}

export function retryRun(run: string, body: RetryRun): Promise<StartedRun> {
  return ask<StartedRun>(at("runs", run, "retry"), { method: "POST", body });
}
