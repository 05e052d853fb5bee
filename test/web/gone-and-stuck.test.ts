// States without an event: a run that was removed elsewhere, a run that the server can't continue, a folder that is not
// listed completely.

import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { HELD, HELLO } from "./flows.ts";

const NEEDS = `curlew: 1
name: Needs a secret
secrets: [TOKEN]
nodes:
  - { id: hold, type: cli, data: { title: Hold, content: "until [ -e go ]; do sleep 0.05; done" } }
  - { id: use, type: cli, data: { title: Use, content: 'printf %s "\${TOKEN}"' } }
edges: [hold -> use]
`;

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO, "held.flow.yaml": HELD, "needs.flow.yaml": NEEDS });
  const start = async (path: string, body: object, query = "") => {
    const answer = await web.server().api("POST", `/workflows/${path}/runs${query}`, body);
    return ((await answer.json()) as { id: string }).id;
  };

  test("a run that is removed in a terminal leaves the table, and its own page says so", async () => {
    const run = await start("hello.flow.yaml", {}, "?wait=20");
    const { page, server, go, another } = await web.open();
    await go(`/runs/${run}`);
    await page.getByText("1/1 nodes").first().waitFor();
    const other = await another();
    await other.goto(`${server.url}/runs`);
    const row = other.locator(`#run-${run}`);
    await row.waitFor();
    expect((await folder().run(["runs", "rm", run, "--home", server.home])).code).toBe(0);
    await row.waitFor({ state: "detached" });
    await page.getByText("This run was removed from the history.").first().waitFor();
    await accessible(page, "a removed run");
  });

  test("a run that the server can't continue shows the reason and the fix, and continues after it", async () => {
    const run = await start("needs.flow.yaml", { secrets: { TOKEN: "for-this-start-alone" } });
    await web.server().kill();
    await web.server().startAgain();
    const { page, server, go, another } = await web.open();
    await go(`/runs/${run}`);
    await page.getByText("The server can't continue this run.").waitFor();
    await page.getByText(/TOKEN/).first().waitFor();
    await accessible(page, "a run that is stuck");
    await fits(page);
    await go("/runs");
    await page
      .locator(`#run-${run}`)
      .getByText(/can't continue: .*TOKEN/)
      .waitFor();
    await go("/");
    const row = page.getByRole("listitem").filter({ hasText: "needs.flow.yaml" });
    await row.getByRole("link", { name: "1 run can't continue" }).waitFor();
    await accessible(page, "home with a run that is stuck");
    // The page shows that the run continues, and later that it does not.
    const other = await another();
    await other.goto(`${server.url}/runs/${run}`);
    await other.getByText("The server can't continue this run.").waitFor();
    server.write(".env", "TOKEN=found-again-0815\n");
    server.write("go", "");
    await other.getByRole("button", { name: "Try again" }).click();
    await other.getByText("The server can't continue this run.").waitFor({ state: "detached" });
    await other.getByText("succeeded").first().waitFor();
    await row.getByRole("link", { name: "1 run can't continue" }).waitFor({ state: "detached" });
  });
}
