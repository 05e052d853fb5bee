// asking: helpers for calls of the API.

import { expect } from "vitest";
import type { Problem, StartedRun } from "../../src/api/shapes.ts";
import type { RunView } from "../../src/scheduler/view.ts";
import type { Served } from "./served.ts";

export async function start(it: Served, path: string, body: unknown = {}, query = ""): Promise<StartedRun> {
  const response = await it.api("POST", `/workflows/${encodeURIComponent(path)}/runs${query}`, body);
  expect([response.status, await response.clone().text()]).toEqual([201, expect.anything()]);
  return (await response.json()) as StartedRun;
}

export const view = async (it: Served, id: string): Promise<RunView> =>
  (await it.api("GET", `/runs/${id}`)).json() as Promise<RunView>;

export async function refused(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as Problem).code];
}
