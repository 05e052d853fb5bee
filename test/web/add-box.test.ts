// The box that A opens, in a real browser. You type to find node kinds, examples and snippets, and add them
// whole. A selection can be kept as a snippet, which every workflow offers (ui 6.2).

import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser, type View } from "./browser.ts";
import { chosen, focused, told } from "./waits.ts";

const EMPTY = "curlew: 1\nname: Empty\nnodes: []\n";
const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const ROW = `curlew: 1
name: Row
nodes:
${IDS.map((id) => `  - { id: ${id}, text: "" }\n`).join("")}layout:
${IDS.map((id, at) => `  ${id}: [${at * 500}, 0]\n`).join("")}`;

if (has("chromium")) {
  const web = inBrowser({
    "calls.flow.yaml": EMPTY,
    "other.flow.yaml": EMPTY,
    "typed.flow.yaml": EMPTY,
    "row.flow.yaml": ROW,
  });

  async function opened(name: string): Promise<View> {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml`);
    await view.page.getByRole("region", { name: `Canvas of ${name}.flow.yaml` }).waitFor();
    return view;
  }
  const box = ({ page }: View) => page.getByRole("dialog", { name: "Add a node" });
  async function add({ page }: View, typed: string, name: string): Promise<void> {
    await page.keyboard.press("a");
    await page.keyboard.type(typed);
    await chosen(page.getByRole("option", { name: new RegExp(`^${name}`) }));
    await page.keyboard.press("Enter");
  }

  test("an example is added whole after the selected node, and a selection becomes a snippet for other workflows", async () => {
    const view = await opened("calls");
    const { page, server } = view;
    await page.keyboard.press("a");
    await box(view).getByText("Examples", { exact: true }).waitFor();
    await accessible(page, "the box that adds");
    await page.keyboard.press("Escape");
    await add(view, "graphql", "GraphQL with variables");
    const query = page.locator('.react-flow__node[data-id="query"]');
    await query.waitFor();
    await query.focus();
    await page.keyboard.press("a");
    await focused(box(view));
    await page.keyboard.insertText(`curl https://api.example.com/users -d '${"x".repeat(100_000)}'`);
    await box(view).getByText("This curl command is longer than 100 kB.").waitFor();
    // Tab must not leave the box open, because Escape would no longer reach it.
    for (const key of ["Tab", "Tab", "Shift+Tab"]) await page.keyboard.press(key);
    await focused(box(view));
    await page.keyboard.press("Escape");
    await focused(query);
    await expect
      .poll(() => server.read("calls.flow.yaml"))
      .toMatch(/inputs:\n {2}api: [\s\S]*- id: request\n[\s\S]*- id: query\n[\s\S]*stdin: request\n/);

    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+Shift+s");
    const dialog = page.getByRole("dialog", { name: "Snippets" });
    await dialog.getByLabel("Keep 2 nodes as").fill("Ask GitHub");
    await accessible(page, "the snippets");
    await page.keyboard.press("Enter");
    await told(page, "Saved Ask GitHub.").waitFor();

    await page.reload();
    await query.waitFor();
    await view.go("/w/other.flow.yaml");
    await page.getByRole("region", { name: "Canvas of other.flow.yaml" }).waitFor();
    await add(view, "ask g", "Ask GitHub");
    await query.waitFor();
    await expect
      .poll(() => server.read("other.flow.yaml"))
      .toMatch(/inputs:\n {2}api: [\s\S]* {2}limit: [\s\S]*stdin: request\n/);

    // Dragging from a port to an empty place connects what is added.
    await page.keyboard.press("Shift+1");
    const port = query.locator(".react-flow__handle.source").first();
    const from = (await port.boundingBox())!;
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x - 60, from.y + 140, { steps: 4 });
    await page.mouse.up();
    await box(view).getByRole("combobox").fill("upload");
    await chosen(page.getByRole("option", { name: /upload/i }));
    await page.keyboard.press("Enter");
    await expect.poll(() => server.read("other.flow.yaml")).toMatch(/- id: report\n {4}after: query\n/);

    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Shift+s");
    await dialog.getByRole("button", { name: "Remove Ask GitHub" }).click();
    await dialog.getByRole("listitem").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    await page.keyboard.type("ask github");
    await box(view)
      .getByText(/No matches/)
      .waitFor();
  });

  test("a command typed or pasted into the box becomes a node: a curl is named by method and path, and its credentials move out", async () => {
    const view = await opened("typed");
    const { page, server } = view;
    const file = () => server.read("typed.flow.yaml");
    const command = page.getByRole("option", { name: /^Run this command/ });
    await page.keyboard.press("a");
    await page.keyboard.type("curl -sS https://api.example.com/orders -u me:hunter22");
    await chosen(command);
    await page.keyboard.press("Enter");
    const orders = page.locator(".react-flow__node", { hasText: "GET /orders" });
    await focused(orders);
    await expect.poll(file).toContain("- id: get_orders");
    expect(file()).not.toContain("hunter22");

    // Several lines are one command. It is connected when it is dragged out of a port or added after a node.
    await page.keyboard.press("Control+ArrowRight");
    await focused(box(view));
    await pasteInto(page, "curl -X POST \\\n  -H 'Accept: text/plain' \\\n  https://api.example.com/bills\n");
    await chosen(command);
    await page.keyboard.press("Enter");
    await expect
      .poll(file)
      .toMatch(/- id: post_bills\n {4}after: get_orders\n[\s\S]* run: "curl .*-H 'Accept: text\/plain'.*bills/);

    await focused(page.locator(".react-flow__node", { hasText: "POST /bills" }));
    await page.keyboard.press("a");
    await page.keyboard.type("jq '.items | length'");
    await chosen(command);
    await page.keyboard.press("Enter");
    await expect.poll(file).toMatch(/- id: run_jq\n[\s\S]*run: jq '\.items \| length'\n/);

    // The name of a kind comes before a program with that name.
    await page.keyboard.press("a");
    await focused(box(view));
    await page.keyboard.type("http request");
    await chosen(page.getByRole("option", { name: /^HTTP/ }));
    await page.keyboard.press("Escape");

    await page.keyboard.press("a");
    await focused(box(view));
    await page.keyboard.type("ask someone");
    await box(view)
      .getByText(/No matches/)
      .waitFor();
    await page.keyboard.press("Escape");
  });

  test("a request added out of view leaves the keyboard in its URL", async () => {
    const view = await opened("row");
    const { page, server } = view;
    const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    await node("a").focus();
    for (const id of IDS.slice(1)) {
      await page.keyboard.press("Tab");
      await focused(node(id));
    }
    await page.keyboard.press("Control+ArrowRight");
    await focused(box(view));
    await page.keyboard.type("http request");
    await chosen(page.getByRole("option", { name: /^HTTP/ }));
    await page.keyboard.press("Enter");
    await node("http_request").waitFor();
    await focused(page.getByRole("textbox", { name: "URL", exact: true }));
    await page.keyboard.type("https://api.example.com/items");
    await page.keyboard.press("Tab");
    await expect.poll(() => server.read("row.flow.yaml")).toContain("- id: get_items\n");
  });

  async function pasteInto(page: View["page"], text: string): Promise<void> {
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  }
}
