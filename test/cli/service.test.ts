// curlew service: the file that it writes for the system, and whose file it leaves alone.

import { join } from "node:path";
import { expect, test } from "vitest";
import { kindOn } from "../../src/cli/commands/service.ts";
import { folder } from "./curlew.ts";

const UNIT = "config/systemd/user/curlew.service";

test.runIf(process.platform === "linux")("install writes a unit for the folder and says how to undo it", async () => {
  const it = folder({ '100% "my" $flows/a.flow.yaml': "curlew: 1\nnodes: []\n" });
  const env = { XDG_CONFIG_HOME: join(it.path, "config"), PATH: "/opt/bin:/usr/bin" };
  const installed = await it.run(["service", "install", '100% "my" $flows'], { env });
  expect(installed).toMatchObject({ code: 0, stdout: `${join(it.path, UNIT)}\n` });
  for (const command of [
    "systemctl --user enable --now curlew",
    "journalctl --user -u curlew",
    `rm ${join(it.path, UNIT)}`,
  ])
    expect(installed.stderr).toContain(command);
  const unit = it.read(UNIT);
  expect(unit).toMatch(/^ExecStart="\S+\/bin\/curlew" serve "\/\S+\/100%% \\"my\\" \$\$flows"$/m);
  expect(unit).toContain(`Environment="PATH=/opt/bin:/usr/bin" "CURLEW_HOME=${it.home}"`);
  expect((await it.run("service install", { env })).code).toBe(0);
  expect(it.read(UNIT)).toContain(`serve "${it.path}"`);
});

test.runIf(process.platform === "linux")("a unit that someone else wrote is left alone", async () => {
  const it = folder({ [UNIT]: "[Service]\n" });
  const env = { XDG_CONFIG_HOME: join(it.path, "config") };
  expect(await it.run("service install", { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[file-exists]"),
  });
  expect(it.read(UNIT)).toBe("[Service]\n");
});

test("on macOS it is an agent, elsewhere an error says what works", () => {
  const agent = kindOn("darwin", { HOME: "/Users/ada" })!;
  expect(agent.file).toBe("/Users/ada/Library/LaunchAgents/curlew.plist");
  const text = agent.text({ program: "/p/curlew", folder: "/f & <g>", home: "/h", path: "/bin" });
  expect(text).toContain(
    "<array><string>/p/curlew</string><string>serve</string><string>/f &amp; &lt;g&gt;</string></array>",
  );
  // As Restart=on-failure: a server that finds another one running ends with 0.
  expect(text).toMatch(/<key>KeepAlive<\/key>\s*<dict><key>SuccessfulExit<\/key><false\/><\/dict>/);
  expect(kindOn("win32", {})).toBeUndefined();
});
