// A foreign page in a signed-in browser (spec 4.3, 4.4 "server closed to others"): whatever it tries, it changes
// nothing and learns nothing. It tries from another port of this machine, and by a name that is rebound to it. The
// browser is real, so it sends what browsers send (Origin, Sec-Fetch-Site, preflights).

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { API_PREFIX, ROUTES } from "../../src/api/routes.ts";
import { has } from "../setup/machine.ts";
import { type Attacker, attack, EVIL_ARGS } from "./attacker.ts";
import { inBrowser, type View } from "./browser.ts";
import { ASKS, HELLO } from "./flows.ts";
import type { Server } from "./server.ts";
import { channels, elements, fetches, forms, type Target } from "./vectors.ts";

const HOOK = `curlew: 1
name: Hook
secrets: [HOOK_SECRET]
on:
  - webhook: { path: push, verify: token, secret: HOOK_SECRET }
nodes:
  - { id: t, type: text, data: { title: t, content: done } }
`;
/** A preload of "fetch" or "track" is loaded whatever its status is; `fetches` reads its content. */
const WRONG_NAME =
  /^(?:(?:fetch|timing|form)[^\n]*(?: 421\b|"code":"wrong-host")|link \{"rel":"preload","as":"(?:fetch|track)")/;
const FILES = {
  "a.flow.yaml": HELLO,
  "asks.flow.yaml": ASKS,
  "hook.flow.yaml": HOOK,
  ".env": "HOOK_SECRET=hook-value-9d\n",
};

/** Routes that change something. */
const CHANGING = ROUTES.filter(({ method }) => method !== "GET").length;

if (has("chromium")) {
  const web = inBrowser(FILES, ["--log-level", "debug"], EVIL_ARGS);

  for (const [where, isRebound] of [
    ["another port of this machine", false],
    ["a name that is made to lead here (rebinding)", true],
  ] as const) {
    const attacked = (name: string, leastTries: number, vector: (page: Page, ground: Deps) => Promise<string[]>) =>
      test(`${name}, from ${where}: the page changes nothing and learns nothing`, async () => {
        const ground = await depsOf(await web.open(), isRebound);
        const before = await stateOf(ground.server);
        const got = await vector(ground.page, ground);
        // Under its own name a page may read every answer: it says only that the name is wrong.
        expect(got.filter((line) => !(isRebound && WRONG_NAME.test(line)))).toEqual([]);
        const said = await settled(ground);
        expect(said.turnedAway, "the tries reached the server").toBeGreaterThanOrEqual(leastTries);
        expect(await stateOf(ground.server)).toEqual(before);
      });

    attacked("forms", CHANGING * 4, async (page, { bases, changing }) =>
      page.evaluate(forms, { bases: bases.slice(0, 2), targets: changing }),
    );

    attacked("fetch and beacons", ROUTES.length * 5, async (page, { bases, all }) =>
      page.evaluate(fetches, { bases, targets: all }),
    );

    attacked("elements that load", 100, async (page, { bases, paths }) =>
      page.evaluate(elements, { urls: bases.slice(0, 1).flatMap((base) => paths.map((path) => base + path)) }),
    );

    attacked("sockets, streams, workers, loading ahead", 20, async (page, { bases, paths }) =>
      page.evaluate(channels, { bases: bases.slice(0, 2), paths }),
    );
  }

  test("the webhook port tells a page nothing and starts nothing for it", async () => {
    const ground = await depsOf(await web.open(), false);
    const { hooksUrl } = JSON.parse(readFileSync(join(ground.server.home, "server.json"), "utf8"));
    const targets = ["/h/push", `${API_PREFIX}/runs`].map((path) => ({ method: "POST", path, json: "{}" }));
    const before = await runsOf(ground.server);
    expect(await ground.page.evaluate(fetches, { bases: [hooksUrl], targets })).toEqual([]);
    expect(await runsOf(ground.server)).toEqual(before);
  });
}

interface Deps {
  view: View;
  server: Server;
  /** The attacker's page. */
  page: Page;
  attacker: Attacker;
  /** The ways to name Curlew's address from there. */
  bases: string[];
  all: Target[];
  changing: Target[];
  /** The routes that answer GET. */
  paths: string[];
  /** Requests of the signed-in page. */
  asked(): number;
  logged: number;
}

async function depsOf(view: View, isRebound: boolean): Promise<Deps> {
  const { server } = view;
  let asked = 0;
  view.page.on("request", () => asked++);
  const attacker = await attack(server.url);
  onTestFinished(() => attacker.close());
  const page = await view.context.newPage();
  await page.goto(isRebound ? attacker.rebound : attacker.url);
  await page.getByText("Free prizes").waitFor();
  if (isRebound) attacker.rebind();
  const { port } = new URL(server.url);
  const ids = await idsOf(server);
  const targets = ROUTES.map(({ method, path }) => ({
    method: method as string,
    path: API_PREFIX + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids(path, name)),
    json: JSON.stringify(bodyOf(method, path)),
  }));
  return {
    ...{ view, server, page, attacker },
    bases: isRebound
      ? [attacker.rebound]
      : ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"].map((name) => `http://${name}:${port}`),
    all: targets,
    changing: targets.filter(({ method }) => method !== "GET"),
    paths: [
      "/",
      "/#code=AAAAAAAAAAAAAAAAAAAAAAAA",
      "/theme.js",
      "/icon.svg",
      ...ownScripts(),
      `${API_PREFIX}/runs`,
      `${API_PREFIX}/events`,
    ],
    asked: () => asked,
    logged: linesOf(server).length,
  };
}

/** Each id names something that exists. */
async function idsOf(server: Server): Promise<(path: string, name: string) => string> {
  const one = async (path: string): Promise<{ id: string }[]> =>
    ((await (await server.api("GET", path)).json()) as { items: { id: string }[] }).items;
  if ((await one("/runs")).length === 0)
    for (const path of ["a", "asks"]) await server.api("POST", `/workflows/${path}.flow.yaml/runs?wait=20`);
  const [approval] = await one("/approvals");
  const [run] = await one("/runs");
  const triggers = (await (await server.api("GET", "/triggers")).json()) as { items: { id: string }[] };
  return (path, name) => {
    if (name === "path") return path.includes("/nodes/") ? "greet" : "a.flow.yaml";
    if (name === "n") return "1";
    if (name === "name") return path.startsWith("/secrets") ? "HOOK_SECRET" : "ollama";
    if (path.startsWith("/approvals")) return approval!.id;
    return encodeURIComponent(path.startsWith("/triggers") ? triggers.items[0]!.id : run!.id);
  };
}

function bodyOf(method: string, path: string): object {
  const known: Record<string, object> = {
    "PUT /workflows/{path}": { text: HELLO.replace("echo hello", "touch evil") },
    "PUT /secrets/{name}": { value: "value-of-the-attacker" },
    "PUT /settings": { retention: { days: 1 } },
    "POST /approvals/{id}/reject": { reason: "no" },
    "POST /session": { code: "A".repeat(43) },
  };
  return known[`${method} ${path}`] ?? {};
}

function ownScripts(): string[] {
  const folder = join(import.meta.dirname, "../../dist/web/assets");
  return ["index", "canvas"].flatMap((name) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`))
      .map((file) => `/assets/${file}`),
  );
}

/** Waits until the log has every request of the signed-in page. Any other request that passed the gate is too many. */
async function settled(ground: Deps): Promise<{ turnedAway: number }> {
  const said = (message: string) =>
    linesOf(ground.server)
      .slice(ground.logged)
      .filter((line) => line.msg === message);
  await expect.poll(() => said("request").length).toBeLessThanOrEqual(ground.asked() + ours);
  return { turnedAway: said("a request was rejected").length };
}

/** Calls of this test during the tries: those of `stateOf` and `idsOf`. */
let ours = 0;

function linesOf(server: Server): { msg: string }[] {
  return readFileSync(join(server.home, "server.log"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const runsOf = async (server: Server): Promise<unknown> => (await server.api("GET", "/runs")).json();
const READ = ["/runs", "/workflows", "/approvals", "/deliveries", "/secrets", "/settings", "/triggers"];

/** Everything that the server would tell, and every file of the folder. */
async function stateOf(server: Server): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const path of READ) {
    ours++;
    state[path] = await (await server.api("GET", path)).json();
  }
  for (const file of readdirSync(server.folder, { recursive: true, encoding: "utf8" }))
    state[file] = createHash("sha256")
      .update(readFileSync(join(server.folder, file)))
      .digest("hex");
  return state;
}
