// `curlew audit`: the log after approvals, and how `verify` reports changes to it.

import { hostname, userInfo } from "node:os";
import { expect, test } from "vitest";
import { asked, isOnPostgres } from "../setup/on-postgres.ts";
import { folder, inARow } from "./curlew.ts";

const GATED = inARow({ made: "echo made", publish: "echo published" }).replace(
  'content: "echo published"',
  'needsUserApproval: true, content: "echo published"',
);

test("the log has approvals, and runs that did not ask, with who and where", async () => {
  const it = folder({
    "a.flow.yaml": GATED,
    "b.flow.yaml": inARow({ all: "true" }).replace("content:", "safetyLevel: advanced, content:"),
  });
  expect(await it.run("audit")).toEqual({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("The audit log is empty.\n"),
  });
  expect(await it.run("audit verify")).toMatchObject({
    code: 0,
    stdout: "The audit log is intact. It has no entries.\n",
  });
  expect((await it.run("run a.flow.yaml")).code).toBe(3);
  expect((await it.run("approve latest publish --detach", { env: { USER: "mallory", LOGNAME: "mallory" } })).code).toBe(
    0,
  );
  expect((await it.run("runs resume latest")).code).toBe(0);
  expect((await it.run("run a.flow.yaml --yes")).code).toBe(0);
  expect((await it.run("run b.flow.yaml")).code).toBe(0);

  const entries = JSON.parse((await it.run("audit --json")).stdout).toReversed();
  const { username } = userInfo();
  const by = { by: username, door: "cli", from: { host: hostname() } };
  expect(entries).toMatchObject([
    { n: 1, type: "approval.requested", path: "publish" },
    { n: 2, type: "approval.granted", path: "publish", ...by },
    { n: 3, type: "run.started", inAdvance: ["*"], ...by },
    { n: 4, type: "run.started", advanced: ["all"], advancedCount: 1, ...by },
  ]);
  expect(entries[1].hash).toBe(entries[0].hash);

  const lines = (await it.run("audit -n 3")).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain(`advanced: all  by ${username} on ${hostname()} (cli)`);
  expect(lines[1]).toContain("approved in advance: every node");
  expect(lines[2]).toMatch(/^2 {2}\S+ {2}approval\.granted {2}\w{20} publish {2}#[0-9a-f]{12} {2}by /);

  const sound = await it.run("audit verify");
  expect(sound).toMatchObject({ code: 0, stderr: "" });
  expect(sound.stdout).toBe(`The audit log is intact: 4 entries, the last with hash ${entries[3].chain}\n`);
});

test("verify names the first entry that was changed, and exits with 1", async () => {
  const it = folder({ "a.flow.yaml": GATED });
  for (let n = 0; n < 3; n++) await it.run("run a.flow.yaml --yes");
  await asked(it.home, `DROP TRIGGER audit_stays ${isOnPostgres ? "ON audit" : ""}`);
  await asked(it.home, `UPDATE audit SET body = replace(body, '"*"', '"+"') WHERE n = 2`);
  const told = await it.run("audit verify");
  expect(told).toMatchObject({ code: 1, stdout: "" });
  expect(told.stderr).toContain("curlew: error[audit-changed]: The audit log of ");
  expect(told.stderr).toContain("Entry 2 was changed, or does not follow entry 1.");
  const json = await it.run("audit verify --json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    sound: false,
    entries: 3,
    findings: [{ code: "audit-changed", entry: 2 }],
  });
});
