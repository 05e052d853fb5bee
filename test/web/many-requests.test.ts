// An inbox with hundreds of requests: each says in the list what one needs to know which to open, keys walk through it, and it stays quick.

import { expect, test } from "vitest";
import type { Page as Listed } from "../../src/api/shapes.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser, type View } from "./browser.ts";
import { focused } from "./waits.ts";

const REQUESTS = 300;
const SECRET = "hunter2-hunter2";
const commandOf = (n: number): string =>
  n < 2
    ? "rm -r same"
    : `# nothing to see here\\nset -eu\\ncurl -X DELETE https://127.0.0.1:1/orders/${n}\\nrm -f a-${n}`;
const GATES = `curlew: 1
name: Clean up
secrets: [TOKEN]
nodes:
  - id: hidden
    type: cli
    data: { title: Hidden, content: "echo \${TOKEN} | wc -c", needsUserApproval: true, approval: { timeout: 20m } }
${Array.from(
  { length: REQUESTS - 1 },
  (_, n) =>
    `  - { id: g${n}, type: cli, data: { title: "Order ${n}", content: "${commandOf(n)}", needsUserApproval: true } }`,
).join("\n")}
`;

if (has("chromium")) {
  const web = inBrowser({ ".env": `TOKEN=${SECRET}\n`, "gates.flow.yaml": GATES });

  test(`of ${REQUESTS} requests each shows its node, command, reason and time; keys walk, take alike ones along, go into one`, async () => {
    const view = await web.open();
    const { page, go } = view;
    const titles = await waiting(view);
    await go("/inbox");
    const entries = page.getByRole("navigation", { name: "Requests" }).getByRole("listitem");
    const titled = (title: string) => entries.filter({ has: page.getByText(title, { exact: true }) });
    const shown = (title: string) => page.getByRole("heading", { name: `Approve “${title}”?` });
    await titled(titles.at(-1)!).waitFor({ state: "attached" });
    const said = (await titled("Hidden").textContent()) ?? "";
    for (const part of ["Clean up · hidden", "echo *** | wc -c", "The workflow asks for it."])
      expect(said).toContain(part);
    expect(said).toMatch(/rejected in (20:00|19:\d\d)/);
    expect(await page.content()).not.toContain(SECRET);
    const order = (await titled("Order 250").textContent()) ?? "";
    expect(order).toContain("curl -X DELETE https://127.0.0.1:1/orders/250");
    expect(order).toContain("+ 3 lines");

    for (const title of titles.slice(1, 41)) {
      await page.keyboard.press("j");
      await shown(title).waitFor();
    }
    const current = page.locator("nav [aria-current=true]");
    expect(await current.textContent()).toContain(titles[40]!);
    await expect.poll(() => inSight(view, current)).toBe(true);
    await page.keyboard.press("Enter");
    await focused(shown(titles[40]!));

    await titled("Order 1").getByRole("button").click();
    await shown("Order 1").waitFor();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Approve all 2" }).waitFor();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await accessible(page, "many requests");
  });

  test("on a phone the request is in sight below the first of many", async () => {
    const view = await web.open({ size: { width: 390, height: 844 } });
    const { page, go } = view;
    const [, second = ""] = await waiting(view);
    await go("/inbox");
    await page.getByRole("navigation", { name: "Requests" }).getByText(second, { exact: true }).click();
    const heading = page.getByRole("heading", { name: `Approve “${second}”?` });
    await expect.poll(() => inSight(view, heading)).toBe(true);
    const list = await page.getByRole("navigation", { name: "Requests" }).boundingBox();
    expect(list?.height, "room for some of them").toBeGreaterThan(200);
    await fits(page);
  });
}

/** One run with all of them; the second test finds it there. Their titles, in the order of the list. */
async function waiting({ server }: View): Promise<string[]> {
  const titles = async () =>
    ((await (await server.api("GET", "/approvals")).json()) as Listed<{ title: string }>).items.map(
      ({ title }) => title,
    );
  if ((await titles()).length === 0) await server.api("POST", "/workflows/gates.flow.yaml/runs?wait=20", {});
  await expect.poll(async () => (await titles()).length, { timeout: 20_000 }).toBe(REQUESTS);
  return titles();
}

async function inSight({ page }: View, what: ReturnType<View["page"]["locator"]>): Promise<boolean> {
  const box = await what.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}
