// useWaitingFor: whether a waiting run of a list waits for a person. Its status alone does not say: a run waits for the time of a retry, for a
// rate or for a line of a listener, too.

import { useQuery } from "@tanstack/react-query";
import type { AnyStatus } from "../ui/state.ts";
import { approvalsQuery } from "./queries.ts";

export function useWaitingFor(): (run: { id: string; status: AnyStatus }) => string | undefined {
  const { data: asking } = useQuery({ ...approvalsQuery, select: (items) => items.map(({ run }) => run) });
  return ({ id, status }) =>
    status !== "waiting" || asking === undefined || asking.includes(id) ? undefined : "something";
}
