// The routes of documents over HTTP (spec 2.4, 2.7, 4.3 S12): tags and conditions, paths that lead nowhere, many
// writers, reports.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type {
  CommittedDocument,
  DocumentConflict,
  Page,
  Problem,
  TriggerItem,
  WorkflowDocument,
  WorkflowList,
} from "../../src/api/shapes.ts";
import { etagOf } from "../../src/app/documents/folder.ts";
import { limits } from "../../src/base/limits.ts";
import { has } from "../setup/machine.ts";
import { start } from "./asking.ts";
import { type Served, served } from "./served.ts";

const HELLO = `curlew: 1
name: Hello
description: Says hello.
inputs:
  who: { type: string, default: world }
on:
  - schedule: { cron: "0 5 * * *" }
nodes:
  - { id: hi, type: text, data: { title: Hi, content: "hello \${who}" } }
`;
const of = (path: string) => `/workflows/${encodeURIComponent(path)}`;

describe("one document", () => {
  test("is JSON with its findings, or the text alone, with one tag", async () => {
    const it = await served({ "sub/hello.flow.yaml": HELLO });
    const answer = await it.api("GET", of("sub/hello.flow.yaml"));
    expect(answer.headers.get("content-type")).toBe("application/json");
    const document = (await answer.json()) as WorkflowDocument;
    expect(document).toMatchObject({ path: "sub/hello.flow.yaml", text: HELLO, etag: etagOf(HELLO), diagnostics: [] });
    expect(answer.headers.get("etag")).toBe(etagOf(HELLO));
    for (const type of ["application/yaml", "text/plain", "application/yaml, */*"]) {
      const plain = await it.api("GET", of("sub/hello.flow.yaml"), undefined, { accept: type });
      expect(plain.headers.get("content-type")).toContain(type.split(",")[0]);
      expect(await plain.text()).toBe(HELLO);
    }
    const again = await it.api("GET", of("sub/hello.flow.yaml"), undefined, { "if-none-match": etagOf(HELLO) });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    // A proxy on the way may have made the tag weak.
    for (const [known, status] of [
      [`W/${etagOf(HELLO)}`, 304],
      [`"other", W/${etagOf(HELLO)}`, 304],
      ["*", 304],
      ['W/"other"', 200],
      [`xW/${etagOf(HELLO)}`, 200],
    ] as const) {
      const asked = await it.api("GET", of("sub/hello.flow.yaml"), undefined, { "if-none-match": known });
      expect(asked.status, known).toBe(status);
    }
  });

  test("is renamed with its runs and its paused trigger; no file is overwritten", async () => {
    const it = await served({ "hello.flow.yaml": HELLO, "other.flow.yaml": HELLO.replace("0 5", "0 6") });
    const run = await start(it, "hello.flow.yaml", {}, "?wait=30");
    const list = async () => ((await (await it.api("GET", "/triggers")).json()) as Page<TriggerItem>).items;
    await expect.poll(async () => (await list()).length).toBe(2);
    const before = (await list()).find(({ workflow }) => workflow === "hello.flow.yaml")!;
    await it.api("POST", `/triggers/${before.id}/pause`);
    const rename = async (to: unknown, tag = etagOf(HELLO)) =>
      it.api("POST", `${of("hello.flow.yaml")}/rename`, { to }, tag === "" ? {} : { "if-match": tag });
    const codes = [
      await rename("other.flow.yaml"),
      await rename("hello.flow.yaml"),
      await rename("../out.flow.yaml"),
      await rename("a.txt"),
      await rename(1),
      await rename("new.flow.yaml", '"another"'),
      await rename("new.flow.yaml", ""),
    ].map(async (answer) => ((await answer.json()) as Problem).code);
    expect(await Promise.all(codes)).toEqual([
      ...["document-exists", "document-exists", "bad-path", "bad-path"],
      ...["bad-body", "document-changed", "condition-missing"],
    ]);
    expect(readFileSync(join(it.folder, "other.flow.yaml"), "utf8")).not.toBe(HELLO);
    const done = await rename("jobs/new.flow.yaml");
    expect([done.status, done.headers.get("location")]).toEqual([200, `/api/v1${of("jobs/new.flow.yaml")}`]);
    expect(readFileSync(join(it.folder, "jobs/new.flow.yaml"), "utf8")).toBe(HELLO);
    const items = ((await (await it.api("GET", "/workflows")).json()) as WorkflowList).items;
    expect(items.map(({ path, recent }) => [path, recent.map(({ id }) => id)])).toEqual([
      ["jobs/new.flow.yaml", [run.id]],
      ["other.flow.yaml", []],
    ]);
    await expect
      .poll(async () => (await list()).map(({ workflow, paused }) => [workflow, paused]))
      .toEqual([
        ["jobs/new.flow.yaml", true],
        ["other.flow.yaml", false],
      ]);
    const again = await it.api("POST", `/runs/${run.id}/retry?wait=30`, { all: true, current: true });
    expect(await again.json()).toMatchObject({ status: "succeeded" });
  });

  test("is made, changed and removed by callers that name the version they replace", async () => {
    const it = await served();
    const made = await it.api("PUT", of("new/a.flow.yaml"), { text: HELLO }, { "if-none-match": "*" });
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1${of("new/a.flow.yaml")}`]);
    const twice = await it.api("PUT", of("new/a.flow.yaml"), { text: "other" }, { "if-none-match": "*" });
    expect(twice.status).toBe(412);
    expect(((await twice.json()) as DocumentConflict).current).toMatchObject({ text: HELLO, etag: etagOf(HELLO) });
    const blind = await it.api("PUT", of("new/a.flow.yaml"), { text: "other" });
    expect([blind.status, ((await blind.json()) as Problem).code]).toEqual([428, "condition-missing"]);
    const weak = await it.api("PUT", of("new/a.flow.yaml"), { text: "other" }, { "if-match": `W/${etagOf(HELLO)}` });
    expect(weak.status).toBe(412);
    const right = await it.api("PUT", of("new/a.flow.yaml"), { text: "nodes: [" }, { "if-match": etagOf(HELLO) });
    expect(right.status, "half-done work is saved").toBe(200);
    const saved = (await right.json()) as WorkflowDocument;
    expect(saved.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    expect(readFileSync(join(it.folder, "new/a.flow.yaml"), "utf8")).toBe("nodes: [");
    expect((await it.api("DELETE", of("new/a.flow.yaml"))).status).toBe(428);
    expect((await it.api("DELETE", of("new/a.flow.yaml"), undefined, { "if-match": etagOf(HELLO) })).status).toBe(412);
    expect((await it.api("DELETE", of("new/a.flow.yaml"), undefined, { "if-match": saved.etag })).status).toBe(204);
    const gone = await it.api("PUT", of("new/a.flow.yaml"), { text: "x" }, { "if-match": saved.etag });
    expect(gone.status).toBe(412);
    expect(((await gone.json()) as DocumentConflict).current).toBeUndefined();
  });

  test("may be sent as application/yaml, and as nothing else", async () => {
    const it = await served();
    const send = (type: string) =>
      fetch(`${it.url}/api/v1${of("a.flow.yaml")}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${it.token}`, "content-type": type, "if-none-match": "*" },
        body: HELLO,
      });
    expect((await send("text/plain")).status).toBe(415);
    expect((await send("application/x-www-form-urlencoded")).status).toBe(415);
    expect((await send("application/yaml; charset=utf-8")).status).toBe(201);
    expect(readFileSync(join(it.folder, "a.flow.yaml"), "utf8")).toBe(HELLO);
  });

  test("that is too large is rejected, and nothing is written", async () => {
    const it = await served();
    const text = "#".repeat(limits.documentBytesMax + 1);
    const answer = await it.api("PUT", of("a.flow.yaml"), { text }, { "if-none-match": "*" });
    expect([answer.status, readdirSync(it.folder)]).toEqual([413, []]);
  });
});

describe("a path that leads elsewhere", () => {
  const SECRET = "outside: this text never leaves";
  // The raw target: a client that normalises URLs would hide half of them.
  const TARGETS = [
    "../outside.flow.yaml",
    "..%2foutside.flow.yaml",
    "..%2Foutside.flow.yaml",
    "%2e%2e%2foutside.flow.yaml",
    "%2e%2e/outside.flow.yaml",
    "%252e%252e%252foutside.flow.yaml",
    "..%252foutside.flow.yaml",
    "..%5coutside.flow.yaml",
    "sub%2f..%2f..%2foutside.flow.yaml",
    "sub%2f%2e%2e%2f%2e%2e%2foutside.flow.yaml",
    ".%2foutside.flow.yaml",
    "%2fetc%2fpasswd",
    "%2Ftmp%2Fx.flow.yaml",
    "file:%2f%2f%2fetc%2fpasswd",
    "C:%5cx.flow.yaml",
    "%00.flow.yaml",
    "in.flow.yaml%00",
    "in.flow.yaml%00.txt",
    "in.flow.yaml%0a",
    "%c0%ae%c0%ae%c0%afoutside.flow.yaml",
    "%e0%80%ae%e0%80%ae%2foutside.flow.yaml",
    "%uff0e%uff0e%2foutside.flow.yaml",
    "%ff.flow.yaml",
    "%",
    "%2",
    "link.flow.yaml",
    "LINK.flow.yaml",
    "linked%2foutside.flow.yaml",
    "linked%2fnew.flow.yaml",
    ".env",
    ".git%2fconfig",
    ".git%2fx.flow.yaml",
    "%e2%80%aein.flow.yaml",
    `${"a".repeat(5_000)}.flow.yaml`,
    `${"..%2f".repeat(300)}outside.flow.yaml`,
  ];
  test("is rejected in every spelling, and nothing outside is read, made or removed", async () => {
    const it = await served({ "in.flow.yaml": "in", "sub/x.flow.yaml": "x" });
    const outside = join(it.folder, "../outside.flow.yaml");
    const beside = join(it.folder, "../beside");
    mkdirSync(beside);
    writeFileSync(outside, SECRET);
    symlinkSync(outside, join(it.folder, "link.flow.yaml"));
    symlinkSync(beside, join(it.folder, "linked"));
    writeFileSync(join(beside, "outside.flow.yaml"), SECRET);
    mkdirSync(join(it.folder, ".git"));
    const around = readdirSync(join(it.folder, "..")).sort();
    for (const target of TARGETS)
      for (const [method, headers] of [
        ["GET", {}],
        ["GET", { accept: "text/plain" }],
        ["PUT", { "if-match": "*" }],
        ["PUT", { "if-match": etagOf(SECRET) }],
        ["DELETE", { "if-match": "*" }],
      ] as const) {
        const { status, body } = await raw(it, method, `/api/v1/workflows/${target}`, headers);
        expect(body, `${method} ${target}`).not.toContain("outside: this");
        expect([400, 403, 404, 405, 409, 412, 428], `${method} ${target} → ${status}`).toContain(status);
      }
    // A new file with such a name: rejected, or a plain file below the folder.
    for (const target of TARGETS) {
      const { status } = await raw(it, "PUT", `/api/v1/workflows/${target}`, { "if-none-match": "*" });
      expect([201, 400, 404, 409, 412], `PUT new ${target} → ${status}`).toContain(status);
    }
    expect(readFileSync(outside, "utf8")).toBe(SECRET);
    expect(readFileSync(join(beside, "outside.flow.yaml"), "utf8")).toBe(SECRET);
    expect(readdirSync(beside)).toEqual(["outside.flow.yaml"]);
    expect(readdirSync(join(it.folder, "..")).sort()).toEqual(around);
    expect(readdirSync(join(it.folder, ".git"))).toEqual([]);
  });
});

test("a URL that cannot be decoded is a bad request, wherever the % is", async () => {
  const it = await served({ "a%zz.flow.yaml": HELLO });
  const bad = ["a%zz.flow.yaml", "a%", "a%2", "%ff", "%c0%ae", "%ed%a0%80", "%u0041"];
  for (const [method, path] of [
    ...bad.map((name) => ["GET", `workflows/${name}`] as const),
    ...["runs/%zz", "runs/latest/nodes/a%zz/attempts/1/output", "%zz"].map((path) => ["GET", path] as const),
    ...["workflows/a%zz/runs", "approvals/%zz/grant", "approvals/%zz"].map((path) => ["POST", path] as const),
  ]) {
    const { status, body } = await raw(it, method, `/api/v1/${path}`, {});
    expect([status, JSON.parse(body).code], `${method} ${path}`).toEqual([400, "bad-request"]);
  }
  // Encoded it is a name like any other.
  expect((await raw(it, "GET", "/api/v1/workflows/a%25zz.flow.yaml", {})).status).toBe(200);
});

/** A request with exactly this target. */
function raw(
  it: Served,
  method: string,
  target: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(it.url);
  const withBody = method === "PUT" ? { "content-type": "application/json" } : {};
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        hostname,
        port,
        method,
        path: target,
        headers: { authorization: `Bearer ${it.token}`, ...withBody, ...headers },
      },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (part) => (body += part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    ).on("error", reject);
    asked.end(method === "PUT" ? JSON.stringify({ text: "planted" }) : undefined);
  });
}

test("of many writers with the same tag one wins, and the others get the winner's text", async () => {
  const it = await served({ "a.flow.yaml": HELLO });
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, number) =>
      it.api("PUT", of("a.flow.yaml"), { text: `${HELLO}# ${number}\n` }, { "if-match": etagOf(HELLO) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const winner = (await answers.find(({ status }) => status === 200)!.json()) as WorkflowDocument;
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer.status).toBe(412);
    expect(((await answer.json()) as DocumentConflict).current?.text).toBe(winner.text);
  }
  expect(readFileSync(join(it.folder, "a.flow.yaml"), "utf8")).toBe(winner.text);
});

describe.runIf(has("git"))("git's HEAD", () => {
  test("has the committed text, and nothing of the repository is started", async () => {
    const it = await served({ "sub/a b.flow.yaml": HELLO, "new.flow.yaml": HELLO });
    const head = async (path: string) => {
      const answer = await it.api("GET", `${of(path)}/head`);
      return (await answer.json()) as Problem & CommittedDocument;
    };
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...args], { cwd: it.folder });
    expect(await head("sub/a b.flow.yaml")).toEqual({
      ...{ path: "sub/a b.flow.yaml", absent: "The folder is not in a git repository." },
    });
    git("init", "-q");
    expect((await head("new.flow.yaml")).absent).toBe("The repository has no commit yet.");
    git("add", "sub");
    git("commit", "-q", "-m", "Say hello");
    writeFileSync(join(it.folder, "trap"), '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/trapped"\n', {
      mode: 0o755,
    });
    for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"])
      git("config", key, join(it.folder, "trap"));
    it.write("sub/a b.flow.yaml", "name: edited\n");
    const commit = git("rev-parse", "HEAD").toString().trim();
    expect(await head("sub/a b.flow.yaml")).toMatchObject({ path: "sub/a b.flow.yaml", text: HELLO, commit });
    expect((await head("new.flow.yaml")).absent).toBe("The last commit does not have this file.");
    expect((await head("../a.flow.yaml")).code).toBe("bad-path");
    expect((await head("none/a.flow.yaml")).code).toBe("not-found");
    expect(readdirSync(it.folder)).not.toContain("trapped");
  });

  test("a missing object is not fetched, and a link leads nowhere", async () => {
    const it = await served({ "a.flow.yaml": HELLO });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...args], { cwd: it.folder });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "Say hello");
    symlinkSync(".", join(it.folder, "linked"));
    const blob = git("rev-parse", "HEAD:a.flow.yaml").toString().trim();
    rmSync(join(it.folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", `ext::touch ${join(it.folder, "fetched")}`);
    git("config", "protocol.ext.allow", "always");
    const head = async (path: string) => (await it.api("GET", `${of(path)}/head`)).json();
    expect(await head("a.flow.yaml")).toMatchObject({ absent: "The last commit does not have this file." });
    expect(await head("linked/a.flow.yaml")).toMatchObject({ code: "document-not-a-file" });
    expect(readdirSync(it.folder)).not.toContain("fetched");
  });
});

describe("the list", () => {
  test("describes each document, and knows a change at once", async () => {
    const it = await served({
      "hello.flow.yaml": HELLO,
      "sub/broken.flow.yaml": "nodes: [",
      "sub/warned.flow.json": JSON.stringify({ curlew: 1, name: "w", nodes: [{ id: "a", type: "nope", data: {} }] }),
      "readme.md": "no workflow",
    });
    const list = async () => (await (await it.api("GET", "/workflows")).json()) as WorkflowList;
    const { items, cut } = await list();
    expect(cut).toBeUndefined();
    expect(items.map(({ path, name, errors, nodes }) => [path, name, errors > 0, nodes])).toEqual([
      ["hello.flow.yaml", "Hello", false, 1],
      ["sub/broken.flow.yaml", "broken", true, 0],
      ["sub/warned.flow.json", "w", true, 0],
    ]);
    expect(items[0]).toMatchObject({
      ...{ description: "Says hello.", etag: etagOf(HELLO), bytes: HELLO.length, triggers: ["schedule"] },
      ...{ inputs: { who: { type: "string", default: "world" } }, recent: [], running: 0, waiting: 0, stuck: 0 },
    });
    it.write("sub/broken.flow.yaml", HELLO);
    expect((await list()).items[1]).toMatchObject({ errors: 0, nodes: 1, name: "Hello" });
  });
});
