// The machines of a cluster over HTTP: a real database, this server as one machine, and a process as another (spec 6.2).

import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MachineItem, Page, Problem, RunItem } from "../../src/api/shapes.ts";
import { cluster } from "../cluster/cluster.ts";
import { servedOn } from "../cluster/served-on.ts";
import { has } from "../setup/machine.ts";

const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;

if (has("postgres"))
  describe("machines", () => {
    test("are listed, drained, and forgotten, and a run names the one that drives it", async () => {
      const here = await cluster();
      const it = await servedOn(here.url);
      const two = await here.machine("two");
      const listed = async () => (await json<Page<MachineItem>>(it.api("GET", "/machines"))).items;
      const stateOf = async (name: string) => (await listed()).find((machine) => machine.name === name)?.state;
      const ask = async (path: string) => (await it.api("POST", `/machines/${path}`, {})).status;
      expect(await json(it.api("GET", "/server"))).toMatchObject({ cluster: true });
      const [one] = await listed();
      expect(one).toMatchObject({ name: "one", labels: ["eu"], version: "1.2.3", slots: 2, runs: 0, state: "live" });

      const ledger = join(here.folder, "ledger");
      const run = await here.submit(`  - { id: a, run: 'echo began >> "${ledger}"; exec sleep 60' }\n`);
      await expect.poll(() => here.ledger(), { timeout: 20_000 }).toEqual(["began"]);
      const [item] = (await json<Page<RunItem>>(it.api("GET", "/runs"))).items;
      expect([item?.id, item?.machine]).toEqual([run, "two"]);
      expect(await json(it.api("GET", `/runs/${run}`))).toMatchObject({ machine: "two" });
      expect((await listed()).find(({ name }) => name === "two")?.runs).toBe(1);

      expect(await ask("two/drain")).toBe(204);
      expect(await stateOf("two")).toBe("draining");
      expect(await ask("two/resume")).toBe(204);
      expect(await stateOf("two")).toBe("live");
      const refused = await it.api("POST", "/machines/two/forget", {});
      expect([refused.status, (await json<Problem>(Promise.resolve(refused))).code]).toEqual([409, "machine-alive"]);
      for (const action of ["drain", "resume", "forget"]) expect(await ask(`three/${action}`)).toBe(404);

      two.killAll();
      await expect.poll(() => stateOf("two"), { timeout: 20_000 }).toMatch(/silent|dead/);
      expect(await ask("two/forget")).toBe(204);
      expect(await stateOf("two")).toBe("dead");
      const log = await here.rows("SELECT body FROM curlew.audit ORDER BY n");
      const types = ["machine.drained", "machine.resumed", "machine.forgotten"];
      const by = userInfo().username;
      expect(log.map(({ body }) => JSON.parse(String(body)))).toMatchObject(
        types.map((type) => ({ type, name: "two", door: "web", by })),
      );
    }, 60_000);
  });
