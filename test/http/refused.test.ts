// `curlew http` after a 401: it asks once more with a newer token, if there is one, and only that host (spec 3.6).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeCalls } from "../../src/process/http-observer/records.ts";
import { tempFolder } from "../setup/folders.ts";
import { call, serve } from "./server.ts";

function place(): string {
  const at = tempFolder();
  return at;
}

test("credentials that were renewed in between are read again: the call is repeated once, and the next pages use them", async () => {
  const at = place();
  const file = join(at, "auth.json");
  const hand = (token: string) => writeFileSync(file, JSON.stringify({ name: "api", auth: { type: "bearer", token } }));
  hand("first");
  const { url, seen } = await serve(({ url: path, headers }, response) => {
    const page = Number(new URLSearchParams(path.split("?")[1]).get("page") ?? 1);
    if (page === 2) hand("second");
    if (page >= 2 && headers.authorization !== "Bearer second") response.writeHead(401).end("no");
    else response.end(JSON.stringify(page < 4 ? [{ page }] : []));
  });
  const env = { CURLEW_HTTP_AUTH: file, CURLEW_HTTP: join(at, "seen") };
  const ran = await call(["GET", url, "--paginate", "page", "--lines"], { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: '{"page":1}\n{"page":2}\n{"page":3}\n' });
  expect(ran.stderr).toBe("curlew: status 401; again with a new token\n");
  expect(seen.map(({ headers }) => headers.authorization?.slice("Bearer ".length))).toEqual([
    ...["first", "first"],
    ...["second", "second", "second"],
  ]);
  expect(takeCalls(env.CURLEW_HTTP, (text) => text).calls.map(({ status }) => status)).toEqual([
    200, 401, 200, 200, 200,
  ]);
});

test("a body is sent again with them, byte for byte", async () => {
  const file = join(place(), "auth.json");
  const hand = (token: string) => writeFileSync(file, JSON.stringify({ auth: { type: "bearer", token } }));
  hand("first");
  const { url, seen } = await serve((_, response, count) => {
    hand("second");
    response.writeHead(count === 1 ? 401 : 201).end("made");
  });
  const ran = await call(["POST", url, "--json", "@-"], { env: { CURLEW_HTTP_AUTH: file }, input: '{"a":1}' });
  expect(ran).toMatchObject({ code: 0, stdout: "made" });
  expect(seen.map(({ body }) => String(body))).toEqual(['{"a":1}', '{"a":1}']);
});

test("a second 401 is final, and a host after a redirect is not asked again", async () => {
  const file = join(place(), "auth.json");
  let count = 0;
  const hand = () => {
    count += 1;
    writeFileSync(file, JSON.stringify({ auth: { type: "bearer", token: `token-${count}` } }));
  };
  hand();
  const other = await serve((_, response) => {
    hand();
    response.writeHead(401).end("no");
  });
  const { url, seen } = await serve(({ url: path }, response) => {
    hand();
    if (path === "/away") response.writeHead(302, { location: `${other.url}/` }).end();
    else response.writeHead(401).end("no");
  });
  const given = { env: { CURLEW_HTTP_AUTH: file } };
  expect(await call(["GET", url], given)).toMatchObject({ code: 22, stdout: "no" });
  expect(seen).toHaveLength(2);
  expect(await call(["GET", `${url}/away`], given)).toMatchObject({ code: 22, stdout: "no" });
  expect(other.seen).toHaveLength(1);
});
