// How curl reads the generated configuration: real curl, a real server, hostile values.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { has } from "../../test/setup/machine.ts";
import { authProblem, type CurlAuth, curlConfigText, userCurlrc } from "./curl-config.ts";

const folder = tempFolder();

let headers: string[] = [];
const server = createServer((request, response) => {
  headers = request.rawHeaders;
  response.end();
});
afterAll(() => server.close());

/** The header as curl sends it. */
async function sent(text: string): Promise<string> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  writeFileSync(join(folder, ".curlrc"), text);
  headers = [];
  const { port } = server.address() as AddressInfo;
  const curl = spawn("curl", ["-sS", `http://127.0.0.1:${port}`], { env: { ...process.env, CURL_HOME: folder } });
  await once(curl, "close");
  expect(headers.filter((name) => name === "X-Evil")).toEqual([]);
  return Buffer.from(headers[headers.indexOf("X-Key") + 1] ?? "", "latin1").toString("utf8");
}

const PIECES = [
  "\\",
  '"',
  "\\n",
  "\\\\",
  "a",
  " ",
  "#",
  "=",
  ":",
  "-",
  "'",
  "$x",
  "é",
  "\t",
  "@",
  "--next",
  "%41",
  "\u{1f426}",
];

if (has("curl"))
  test("every value is sent exactly as it was given", async () => {
    const seed = Number(process.env.CHECK_SEED ?? Date.now() % 1e6);
    let state = seed;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let round = 0; round < 25; round++) {
      const middle = Array.from({ length: 1 + random(8) }, () => PIECES[random(PIECES.length)]).join("");
      const value = `x${middle}x`;
      expect(await sent(curlConfigText({ auth: { type: "header", name: "X-Key", value } })), `seed ${seed}`).toBe(
        value,
      );
    }
  });

test.each<[string, CurlAuth, string | undefined]>([
  ["fine", { type: "bearer", token: "a b\tc" }, undefined],
  ["no password", { type: "basic", username: "ada", password: "" }, undefined],
  ["CR", { type: "bearer", token: "a\rb" }, "auth-value"],
  ["LF", { type: "header", name: "A", value: "a\nb" }, "auth-value"],
  ["NUL", { type: "basic", username: "a", password: "a\0b" }, "auth-value"],
  ["half a character", { type: "bearer", token: "a\ud800" }, "auth-value"],
  ["a name with a line break", { type: "header", name: "A\nB", value: "a" }, "auth-value"],
  ["a name with a colon", { type: "header", name: "A: b", value: "a" }, "auth-value"],
  ["an empty token", { type: "bearer", token: "" }, "auth-empty"],
])("%s", (_name, auth, code) => {
  const problem = authProblem(auth);
  expect(problem?.code).toBe(code);
});

test("without settings no file is written, and the user's own file comes first", () => {
  expect(curlConfigText({ userFile: "/home/ada/.curlrc" })).toBe("");
  expect(curlConfigText({ userFile: '/home/a "b"/.curlrc', protocols: "with-http" })).toBe(
    'config = "/home/a \\"b\\"/.curlrc"\nproto = "=http,https"\nproto-redir = "=http,https"\n',
  );
});

test("the user's own file is searched where curl searches it, in the same order", () => {
  const [home, xdg, own] = ["home", "xdg", "own"].map((name) => join(folder, name)) as [string, string, string];
  for (const place of [join(home, ".config"), xdg, own]) mkdirSync(place, { recursive: true });
  const env = { HOME: home, XDG_CONFIG_HOME: xdg, CURL_HOME: own };
  const order = [join(own, ".curlrc"), join(xdg, ".curlrc"), join(xdg, "curlrc"), join(home, ".curlrc")];
  for (const file of order.toReversed()) {
    writeFileSync(file, "");
    expect(userCurlrc(env)).toBe(file);
  }
  for (const file of order) rmSync(file);
  writeFileSync(join(home, ".config", "curlrc"), "");
  expect(userCurlrc(env)).toBeUndefined();
  expect(userCurlrc({ HOME: home })).toBe(join(home, ".config", "curlrc"));
});
