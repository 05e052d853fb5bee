// The page changes while you use it: late answers never move you elsewhere, keys reach only what was there when you
// pressed them, and what you typed stays. Answers are held back here, so that every race has the same winner each time.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ApprovalItem, Page as Listed, RunItem } from "../../src/api/shapes.ts";
import { has } from "../setup/machine.ts";
import { inBrowser, type View } from "./browser.ts";
import { HELLO } from "./flows.ts";
import { approvable, told } from "./waits.ts";

const gate = (title: string) => `curlew: 1
name: ${title}
nodes:
  - { id: gate, type: cli, data: { title: ${title}, content: "echo ${title} >> passed.txt", needsUserApproval: true } }
`;
/** Asks for approval, while another branch fails as soon as the file `fail` exists. */
const BRANCHES = `curlew: 1
name: Branches
nodes:
  - { id: gate, type: cli, data: { title: Gate, content: "echo passed", needsUserApproval: true } }
  - { id: other, type: cli, data: { title: Other, content: "until [ -e fail ]; do sleep 0.05; done; exit 3" } }
`;
const FIRST_GATE = { "first.flow.yaml": gate("First"), "second.flow.yaml": gate("Second") };

if (has("chromium")) {
  const web = inBrowser({ "hello.flow.yaml": HELLO, "branches.flow.yaml": BRANCHES, ...FIRST_GATE });

  test("a key that is held down starts one run", async () => {
    const view = await web.open();
    const { page, go } = view;
    const before = await runsOf(view);
    await go("/w/hello.flow.yaml");
    await page.getByRole("region", { name: "Canvas of hello.flow.yaml" }).waitFor();
    for (let times = 0; times < 5; times++) await page.keyboard.down("r");
    await page.keyboard.up("r");
    await page.waitForURL(/[?&]run=/);
    expect(await runsOf(view)).toBe(before + 1);
  });

  test("a form that is being saved is not sent again", async () => {
    const view = await web.open();
    const { page, go, server } = view;
    server.write("named.flow.yaml", HELLO.replace("name: Hello", "name: Named"));
    await go("/");
    await page.getByRole("button", { name: "More for Named", exact: true }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rename Named" });
    await dialog.getByLabel("File").fill("renamed");
    const answer = await heldBack(page, "**/rename", "POST");
    await page.keyboard.press("Control+Enter");
    await answer.asked;
    await page.keyboard.press("Control+Enter");
    answer.goes();
    await dialog.waitFor({ state: "detached" });
    expect(answer.count()).toBe(1);
  });

  test("a rejection that is being sent is not sent again", async () => {
    const view = await web.open();
    const [first, second] = await bothAsk(view);
    const { page, go, server } = view;
    await go(`/inbox?id=${first.id}`);
    await page.getByRole("button", { name: "Reject…" }).click();
    const reason = page.getByLabel(/^Reason/);
    await reason.fill("Too early");
    const answer = await heldBack(page, "**/approvals/*/reject", "POST");
    await reason.press("Control+Enter");
    await answer.asked;
    await reason.press("Control+Enter");
    answer.goes();
    await told(page, "Rejected: First").waitFor();
    expect(answer.count()).toBe(1);
    await server.api("POST", `/approvals/${second.id}/reject`, { reason: "the end of the test" });
  });

  test("Run directly after an edit runs the edited file", async () => {
    const { page, go, server } = await web.open();
    server.write("edited.flow.yaml", HELLO);
    await go("/w/edited.flow.yaml?view=source");
    await page.getByRole("textbox", { name: "Source of the workflow" }).getByText("echo hello").click();
    await page.keyboard.press("End");
    const answer = await heldBack(page, "**/api/v1/workflows/edited.flow.yaml", "PUT");
    for (let times = 0; times < '" }'.length; times++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type(" newest words");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await answer.asked;
    answer.goes();
    await page.waitForURL(/[?&]run=/);
    await page.getByRole("log").getByText("hello newest words", { exact: true }).waitFor();
  });

  test("a request that was answered elsewhere stays in view, and no key approves the next one in its place", async () => {
    const view = await web.open();
    const [first, second] = await bothAsk(view);
    const { page, go, server } = view;
    await go("/inbox");
    const shown = await page.getByRole("heading", { name: /^Approve “/ }).textContent();
    const [mine, other] = shown?.includes("First") ? [first, second] : [second, first];
    await approvable(page);
    expect((await server.api("POST", `/approvals/${mine.id}/reject`, { reason: "elsewhere" })).status).toBe(200);
    await page.getByText(/^No longer waiting: \S+ rejected it\.$/).waitFor();
    await page.keyboard.press("y");
    await page.keyboard.press("n");
    expect(await page.getByRole("heading", { name: /^Approve “/ }).textContent()).toBe(shown);
    expect(await waiting(view)).toEqual([other.id]);
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: `Approve “${other.title}”?` }).waitFor();
    await approvable(page);
    await page.keyboard.press("y");
    await page.getByRole("heading", { name: "No approvals waiting" }).waitFor();
  });

  test("pressing Y twice approves one request: the next must first be shown long enough to be read", async () => {
    const view = await web.open();
    await bothAsk(view);
    const { page, go } = view;
    await go("/inbox");
    const heading = page.getByRole("heading", { name: /^Approve “/ });
    const shown = await heading.textContent();
    await approvable(page);
    // In the same moment in which the next one is drawn.
    await page.evaluate((before) => {
      const watch = new MutationObserver(() => {
        const now = document.querySelector("article h2")?.textContent;
        if (now === undefined || now === before) return;
        watch.disconnect();
        dispatchEvent(new KeyboardEvent("keydown", { key: "y", code: "KeyY" }));
        [...document.querySelectorAll("button")].find((one) => one.textContent?.startsWith("Approve"))?.click();
      });
      watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    }, shown);
    await page.keyboard.press("y");
    await expect.poll(() => heading.textContent()).not.toBe(shown);
    await approvable(page);
    expect((await waiting(view)).length).toBe(1);
    await page.keyboard.press("y");
    await page.getByRole("heading", { name: "No approvals waiting" }).waitFor();
  });

  test("a reason that is being typed stays when another branch fails, and when the request is answered elsewhere", async () => {
    const view = await web.open();
    const { page, go, server } = view;
    const begun = await server.api("POST", "/workflows/branches.flow.yaml/runs");
    const { id } = (await begun.json()) as { id: string };
    await go(`/runs/${id}`);
    await page.getByRole("button", { name: "Reject…" }).click();
    const reason = page.getByLabel(/^Reason/);
    await page.keyboard.type("It is wrong");
    server.write("fail", "");
    await page.locator(".react-flow__node[data-id=other]", { hasText: "failed" }).waitFor();
    await page.keyboard.type(". Really");
    expect(await reason.inputValue()).toBe("It is wrong. Really");
    const [asked] = await waiting(view);
    await server.api("POST", `/approvals/${asked}/grant`);
    await page.getByText("No longer waiting").waitFor();
    await page.keyboard.type(".");
    expect(await reason.inputValue()).toBe("It is wrong. Really.");
    await page.getByRole("button", { name: "Back" }).click();
    await reason.waitFor({ state: "detached" });
  });
}

/** Holds back the requests to it, and counts them, until the returned function is called. */
async function heldBack(
  page: Page,
  url: string,
  method = "",
): Promise<{ asked: Promise<void>; goes: () => void; count: () => number }> {
  let count = 0;
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (method === "" || route.request().method() === method) {
      count += 1;
      asked.resolve();
      await held.promise;
    }
    await route.continue();
  });
  return { asked: asked.promise, goes: held.resolve, count: () => count };
}

async function runsOf({ server }: View): Promise<number> {
  return ((await (await server.api("GET", "/runs?limit=100")).json()) as Listed<RunItem>).items.length;
}

async function waiting({ server }: View): Promise<string[]> {
  return ((await (await server.api("GET", "/approvals")).json()) as Listed<ApprovalItem>).items.map(({ id }) => id);
}

async function bothAsk({ server }: View): Promise<[ApprovalItem, ApprovalItem]> {
  for (const name of ["first", "second"]) await server.api("POST", `/workflows/${name}.flow.yaml/runs?wait=20`);
  const { items } = (await (await server.api("GET", "/approvals")).json()) as Listed<ApprovalItem>;
  expect(items.length).toBe(2);
  const of = (title: string) => items.find((item) => item.title === title)!;
  return [of("First"), of("Second")];
}
