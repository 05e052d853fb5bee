// The demonstration of ui.md 6.9 from its first paste to the same run on the command line, in a real browser, against the real sample API.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SampleApi, startSampleApi } from "../../examples/sample-api/server.ts";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";

const CLI = join(import.meta.dirname, "../../dist/cli.cjs");
const CURL = "curl --fail-with-body --silent --show-error --max-time 20";

if (has("chromium") && has("git")) {
  const web = inBrowser({ "demo.flow.yaml": "curlew: 1\nname: Demo # as I like it\nnodes: []\n" });
  let api: SampleApi;
  beforeAll(async () => {
    api = await startSampleApi();
  });
  afterAll(() => api.close());

  const node = (page: Page, title: string) => page.locator(".react-flow__node", { hasText: title });
  async function paste(page: Page, text: string, title: string): Promise<void> {
    await page.keyboard.press("Escape");
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await node(page, title).waitFor();
  }
  async function connect(page: Page, from: string, to: string): Promise<void> {
    await node(page, from).focus();
    await page.keyboard.press("c");
    await page.keyboard.type(to);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /^Connect/ }).waitFor({ state: "detached" });
  }

  test("three pasted curls become a loop with an approval, a failure and a retry, seen from two tabs, a phone and the command line", async () => {
    const { page, server, go, another, wrong } = await web.open();
    const git = (...args: string[]) => execFileSync("git", ["-C", server.folder, ...args], { encoding: "utf8" });
    const file = () => server.read("demo.flow.yaml");
    const written = (wanted: RegExp) => expect.poll(file).toMatch(wanted);

    await go("/w/demo.flow.yaml");
    await page.getByRole("region", { name: "Canvas of demo.flow.yaml" }).waitFor();
    await paste(page, `${CURL} ${api.url}/api/items/4`, "GET /api/items/4");
    await paste(page, `${CURL} -X DELETE ${api.url}/api/items/3`, "DELETE /api/items/3");
    await paste(page, `${CURL} "${api.url}/flaky?fail=1&status=429"`, "GET /flaky");
    await connect(page, "GET /api/items/4", "delete");
    await connect(page, "DELETE /api/items/3", "flaky");
    await written(/after: get_api_items_4[\s\S]*after: delete_api_items_3/);
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "three calls");

    await node(page, "GET /api/items/4").focus();
    await page.keyboard.press("Control+g");
    await written(/type: loop-start/);
    await node(page, "DELETE /api/items/3").click();
    await page.getByRole("tab", { name: "Policy" }).click();
    await page.getByRole("checkbox", { name: "A person must approve it" }).check();
    await written(/needsUserApproval: true/);
    const changed = git("diff", "--numstat").trim().split(/\s+/);
    expect(Number(changed[0]), file()).toBeLessThanOrEqual(12);
    expect(Number(changed[1]), file()).toBeLessThanOrEqual(2);
    expect(file()).toContain("name: Demo # as I like it\n");

    await node(page, "DELETE /api/items/3").focus();
    await page.keyboard.press("r");
    // It runs in place: the canvas shows the states, and a bar leads to the request.
    await page.getByRole("region", { name: "Approval" }).getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Approve “DELETE /api/items/3”?" }).waitFor();
    const { pathname } = new URL(page.url());

    // Two tabs: one closes and opens again, and shows the whole log.
    const second = await another();
    await second.goto(`${server.url}${pathname}`);
    await second.getByRole("heading", { name: "Approve “DELETE /api/items/3”?" }).waitFor();
    await second.close();
    const phone = await another();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto(`${server.url}/inbox`);
    await phone.getByRole("button", { name: /^Approve/ }).click();

    // The first tab updates without a reload: one call succeeded, the next got 429.
    const failure = page.getByRole("article", { name: "GET /flaky failed" });
    await failure.getByText(/429/).first().waitFor();
    await node(page, "DELETE /api/items/3").getByText("succeeded").first().waitFor();
    expect(api.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    const third = await another();
    await third.goto(`${server.url}${pathname}`);
    await third.getByRole("tab", { name: "Events" }).click();
    await third.getByText("run.started").waitFor();
    await third.getByText("run.failed").waitFor();
    await third.close();

    await failure.getByRole("button", { name: "Retry from here" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/runs/") && url.pathname !== pathname);
    await node(page, "GET /flaky").getByText("succeeded").first().waitFor();
    expect(api.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);

    await page.goBack();
    await node(page, "GET /flaky").getByText("failed").first().waitFor();
    const moment = page.getByRole("slider", { name: "Moment of the run" });
    await moment.focus();
    await page.keyboard.press("Home");
    await node(page, "GET /flaky").getByText("failed").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Back to the end" }).click();
    await node(page, "GET /flaky").getByText("failed").first().waitFor();

    const id = pathname.split("/").at(-1)!;
    const told = execFileSync(process.execPath, [CLI, "runs", "show", id, "--json", "--home", server.home], {
      encoding: "utf8",
    });
    const run = JSON.parse(told) as {
      id: string;
      status: string;
      nodes: { title: string; approvals?: { door: string }[] }[];
    };
    expect([run.id, run.status]).toEqual([id, "failed"]);
    expect(wrong).toEqual([]);
  });
}
