// What leads a curl past PATH to the one in front (src/process/curl-by-path.ts): its bytes are those of its source, and it leads nothing else.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiled } from "../../scripts/preloaded.ts";
import { curlByPath, isOutOfReach, leadsAway } from "../../src/process/curl-by-path.ts";

const place = mkdtempSync(join(tmpdir(), "curlew-by-path-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const code = curlByPath();
const gcc = spawnSync("gcc", ["-dumpfullversion", "-dumpmachine"], { encoding: "utf8" }).stdout ?? "";

function script(name: string, text: string): string {
  const file = join(place, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

test.runIf(gcc.startsWith("12.2.") && process.arch === "x64")("the bytes are what its source is compiled to", () => {
  expect(compiled("curl-by-path", ["gcc"]).toString("base64")).toBe(code?.toString("base64"));
});

if (code !== undefined) {
  const object = script("object.so", "");
  writeFileSync(object, code);
  const front = script("front/curl", '#!/bin/sh\necho "front: $CURLEW_CURL"\nprintf "<%s>" "$@"\n');
  const ran = (program: string, args: string[], more: Record<string, string> = {}) =>
    spawnSync(program, args, {
      env: { LD_PRELOAD: object, CURLEW_CURL_FRONT: front, PATH: process.env.PATH, ...more },
      encoding: "utf8",
      cwd: place,
    });

  test("a trial says that it leads away here", () => {
    expect(leadsAway(object, front)).toBe(true);
    expect(leadsAway(join(place, "none.so"), front)).toBe(false);
  });

  test("a program and a script called curl are led away with each argument as it is, from a folder that is said and one that is not", () => {
    const plain = script("bin/curl", "#!/bin/sh -u\necho plain\n");
    const args = ["", "a b", "--", "'\n", plain, "-o", plain];
    const told = `${args.map((arg) => `<${arg}>`).join("")}`;
    expect(ran(plain, args)).toMatchObject({ stdout: `front: ${plain}\n${told}`, stderr: "" });
    expect(ran("./bin/curl", args)).toMatchObject({ stdout: `front: ./bin/curl\n${told}`, stderr: "" });
    const real = execFileSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).trim();
    expect(ran(real, args)).toMatchObject({ stdout: `front: ${real}\n${told}`, stderr: "" });
  });

  test("nothing else is: other names, the front itself, no front, one that is not there", () => {
    const plain = script("bin/curl", "#!/bin/sh\necho plain\n");
    const other = script("bin/curl-config", "#!/bin/sh\necho other\n");
    expect(ran(other, []).stdout).toBe("other\n");
    expect(ran(front, ["x"]).stdout).toBe("front: \n<x>");
    expect(ran(plain, [], { CURLEW_CURL_FRONT: "" }).stdout).toBe("plain\n");
    expect(ran(plain, [], { CURLEW_CURL_FRONT: join(place, "none") }).stdout).toBe("plain\n");
  });

  test("what starts without a loader is out of its reach", () => {
    expect(isOutOfReach(process.execPath)).toBe(false);
    expect(isOutOfReach(script("bin/curl", "#!/bin/sh\n"))).toBe(false);
    expect(isOutOfReach(join(place, "nowhere/curl"))).toBe(false);
    expect(isOutOfReach(script("text", "echo\n"))).toBe(true);
    const ofRoot = script("ofroot", "#!/bin/sh\n");
    chmodSync(ofRoot, 0o4755);
    expect(isOutOfReach(ofRoot)).toBe(true);
    const fixed = Buffer.from(code);
    expect(isOutOfReach(script("static", fixed.toString("latin1")))).toBe(true);
  });
}
