// The inspector in a real browser. The main fields of every kind change the file and nothing else, one click fixes a
// finding, names are offered, and the explanation follows the text. Both themes are accessible.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { focused } from "./waits.ts";

const TEXT = `curlew: 1
name: Sync orders
# the inputs
inputs:
  repo: { type: string, default: o/r } # keep me
secrets: [TOKEN]
nodes:
  - id: get
    type: cli
    data:
      title: Get page
      # the call
      content: >-
        curl -sS -H "Authorization: Bearer \${TOKEN}"
        "https://api.example.test/orders/\${repo}" | jq .
      retry: { maxAttempts: 4, initialInterval: 2s } # often enough
  - id: check
    type: if
    data: { title: More?, content: exitCode = 0 }
  - id: pages
    type: loop-start
    data: { title: Pages, iterations: 3 }
  - id: page
    type: cli
    data: { title: Page, content: 'printf %s "\${i}"' }
  - id: pagesEnd
    type: loop-end
    data: { title: End }
  - id: ask
    type: llm
    data: { title: Summarise, model: ollama/tiny, content: "Summarise \${1}" }
  - id: total
    type: variable
    data: { title: Total, variableName: total, initialValue: "0" }
  - id: all
    type: accumulator
    data: { title: All, variableName: all }
  - id: note
    type: text
    data: { title: Note, content: "Total \${total}" }
  - id: sub
    type: subflow
    data: { title: Sub, workflow: other.flow.yaml }
edges:
  - get -> check
  - check:true -> pages -> page -> pagesEnd -> ask -> note -> sub
  - page -> all
`;

const OTHER = `curlew: 1
name: Other
inputs: { who: { type: string, default: you } }
nodes:
  - { id: a, type: text, data: { title: A, content: "hello \${who}" } }
`;

const PLAIN = `curlew: 1
name: Plain
inputs: { word: { type: string, required: true } }
nodes:
  - id: make
    type: cli
    data: { title: Make, content: 'printf %s ''{"items":[{"id":7}],"total":3}''' }
  - id: use
    type: cli
    data:
      title: Use
      content: 'cat'
      stdin: { source: parent-index, parentIndex: 0 }
      output: { format: json, select: total }
edges: [make -> use]
`;

const TOKEN = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
const PASTED = `curlew: 1
name: Pasted
nodes:
  - id: call
    type: cli
    data:
      title: Call
      content: 'curl -fm 5 -H "Authorization: Bearer ${TOKEN}" http://127.0.0.1:9/a'
`;

if (has("chromium")) {
  const files: Record<string, string> = {
    "pasted.flow.yaml": PASTED,
    "other.flow.yaml": OTHER,
    "plain.flow.yaml": PLAIN,
  };
  files["alone.flow.yaml"] = PLAIN.replace("'printf", "'printf x >> made; printf");
  for (const name of ["kinds", "command", "fixes", "policy", "head"]) files[`${name}.flow.yaml`] = TEXT;
  const web = inBrowser(files);

  const opened = async (name: string, node?: string) => {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml${node === undefined ? "" : `?node=${node}`}`);
    const panel = view.page.getByRole("complementary", { name: "Inspector" });
    await panel.getByRole("heading", { level: 2 }).waitFor();
    // Its keys work when its parts are there.
    if (node !== undefined) await panel.getByRole("tab", { name: "Test" }).waitFor();
    const text = () => view.server.read(`${name}.flow.yaml`);
    return {
      ...view,
      panel,
      text,
      tab: (label: string) => panel.getByRole("tab", { name: new RegExp(`^${label}`) }).click(),
      show: async (id: string) => {
        await view.go(`/w/${name}.flow.yaml?node=${id}`);
        await panel.getByText(id, { exact: true }).first().waitFor();
      },
      /** The file contains this for the node (or for the head), and every comment is still there. */
      says: (id: string | undefined, wanted: object) =>
        expect
          .poll(() => {
            const document = parse(text()) as Record<string, unknown> & { nodes: { id: string; data: object }[] };
            return id === undefined ? document : document.nodes.find((one) => one.id === id)?.data;
          })
          .toMatchObject(wanted),
    };
  };

  /** Replaces the text of a code field. */
  const write = async (page: Page, label: string, text: string) => {
    const editor = page.getByRole("textbox", { name: label, exact: true });
    await editor.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
    await editor.blur();
  };

  test("the main fields of every kind change the file, and nothing else", async () => {
    const { page, panel, text, tab, show, says } = await opened("kinds", "note");
    // The file is written half a second after an edit, so it is compared at the end, when the variable has its new name.
    const wanted: [string, object][] = [];
    const later = (id: string, data: object) => wanted.push([id, data]);
    await write(page, "Content", "All of it: ${total}");
    later("note", { content: "All of it: ${sum}" });
    await show("check");
    await panel.getByLabel("Right side").fill("22");
    await says("check", { content: "exitCode = 22" });
    await panel.getByRole("button", { name: "Write it" }).click();
    await write(page, "Expression", "$count(inputs) > 2");
    later("check", { content: "$count(inputs) > 2" });
    await show("pages");
    await panel.getByLabel("It runs").selectOption("items");
    later("pages", { items: "inputs[0]" });
    await panel.getByLabel("Item name").fill("row");
    later("pages", { as: "row" });
    await show("pagesEnd");
    await panel.getByRole("button", { name: "Add a condition" }).click();
    await focused(panel.getByLabel("Left side"));
    await page.keyboard.type("$count(inputs[0])");
    await page.keyboard.press("Tab");
    await focused(panel.getByLabel("Comparison"));
    later("pagesEnd", { until: "$count(inputs[0]) = 0" });
    await show("ask");
    await write(page, "Prompt", "Say ${total} words");
    await tab("Output");
    await write(page, "Schema", '{ "type": "object" }');
    later("ask", { content: "Say ${sum} words", schema: { type: "object" } });
    await tab("Policy");
    await panel.getByText("Budget", { exact: true }).click();
    await panel.getByLabel("Tokens").fill("500");
    later("ask", { budget: { tokens: 500 } });
    await show("total");
    await tab("Variable");
    await panel.getByLabel("Variable name").fill("sum");
    await panel.getByLabel("It is a secret").check();
    later("total", { variableName: "sum", secret: true });
    await show("all");
    await panel.getByLabel("Format").selectOption("json");
    later("all", { format: "json" });
    await show("sub");
    await tab("Subflow");
    await panel.getByRole("button", { name: "+ who" }).click();
    await write(page, "Value of who", "me");
    later("sub", { inputs: { who: "me" } });
    for (const [id, data] of wanted) await says(id, data);
    expect(text()).not.toContain("iterations");
    // The other workflow is a press away.
    expect(await panel.getByRole("link", { name: /^Open / }).getAttribute("href")).toMatch(/^\/w\/.+\.flow\.yaml$/);
    for (const comment of ["# the inputs", "# keep me", "# the call", "# often enough"])
      expect(text()).toContain(comment);
    expect(text()).toContain(`      content: >-
        curl -sS -H "Authorization: Bearer \${TOKEN}"
        "https://api.example.test/orders/\${repo}" | jq .
      retry: { maxAttempts: 4, initialInterval: 2s } # often enough`);
  });

  test("a command has colours, names to choose, an explanation that follows, and a red unknown name, all accessible", async () => {
    const { page, panel, says } = await opened("command", "get");
    const does = panel.getByRole("region", { name: "What the command does" });
    await does.getByText("api.example.test").waitFor();
    await does.getByText("Bearer ${TOKEN}").waitFor();
    await does.getByText("curl │ jq").waitFor();
    await panel.locator(".cm-ref-secret", { hasText: "${TOKEN}" }).waitFor();
    const editor = page.getByRole("textbox", { name: "Command", exact: true });
    await editor.click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" --arg r $");
    await page.getByRole("option", { name: /repo/ }).click();
    await editor.blur();
    await says("get", { content: expect.stringMatching(/jq \. --arg r \$\{repo\}$/) });
    await write(page, "Command", 'curl -X DELETE "https://api.example.test/${repoo}"');
    await expect.poll(() => panel.getByLabel("Method", { exact: true }).inputValue()).toBe("DELETE");
    await does.getByText("It deletes: curl sends DELETE.").waitFor();
    await panel.locator(".cm-ref-unknown", { hasText: "${repoo}" }).waitFor();
    await panel.getByRole("button", { name: "Write repo" }).click();
    await says("get", { content: 'curl -X DELETE "https://api.example.test/${repo}"' });
    await page.mouse.move(0, 0);
    await editor.locator(".cm-ref", { hasText: "${repo}" }).hover();
    await page.getByText("Input, string", { exact: false }).waitFor();
    await accessible(page, "inspector, a command");
  });

  test("one click fixes a finding in text and fields, in one undo step", async () => {
    const { page, panel, text, says } = await opened("fixes", "get");
    // The panel reads the command, then describes it. The description moves the buttons below it.
    await panel.getByText("curl │ jq").waitFor();
    await panel.getByRole("button", { name: "Add --fail-with-body" }).click();
    await says("get", { content: expect.stringMatching(/^curl --fail-with-body -sS/) });
    await panel.getByRole("button", { name: "Set timeout: 60s on the node" }).click();
    await says("get", { timeout: "60s" });
    await panel.getByRole("button", { name: "Sign in by auth: instead" }).click();
    await says("get", {
      auth: { type: "bearer", token: "${TOKEN}" },
      content: expect.not.stringContaining("TOKEN"),
    });
    expect(text()).toContain("# the call");
    await page.keyboard.press("Escape");
  });

  test("policy: an invalid value stays and is explained, an emptied field leaves the file, retries are drawn", async () => {
    const { page, panel, tab, text, says } = await opened("policy", "get");
    await tab("Policy");
    await panel.getByRole("img", { name: "4 attempts; waits of at most 2 s, 4 s, 8 s." }).waitFor();
    await panel.getByLabel("Max attempts").fill("3");
    await panel.getByRole("img", { name: "3 attempts; waits of at most 2 s, 4 s." }).waitFor();
    const idle = panel.getByLabel("Idle timeout");
    await idle.fill("5");
    await panel.getByRole("button", { name: "Write 5s" }).click();
    await says("get", { idleTimeout: "5s" });
    await idle.fill("soon");
    await panel
      .getByText(/Error:/)
      .first()
      .waitFor();
    expect(await idle.inputValue()).toBe("soon");
    await says("get", { idleTimeout: "soon" });
    await idle.fill("");
    await expect.poll(text).not.toContain("idleTimeout");
    await panel.getByText("Rate limit", { exact: true }).click();
    await panel.getByLabel("Limit", { exact: true }).first().fill("5");
    await says("get", { rateLimit: { key: "default", limit: 5, per: "1m" }, retry: { maxAttempts: 3 } });
    await panel.getByLabel("A person must approve it").check();
    await says("get", { needsUserApproval: true });
    expect(text()).toContain("# often enough");
    await accessible(page, "inspector, policy");
    await tab("Input");
    await panel.getByLabel("Name of a new variable").fill("KEY");
    await panel.getByRole("button", { name: "Add", exact: true }).click();
    await write(page, "Value of KEY", "${TOKEN}");
    await says("get", { env: { static: { KEY: "${TOKEN}" } } });
    await accessible(page, "inspector, input");
  });

  test("a node is tried with everything before it; select is tried on its output, and an endless select is stopped", async () => {
    const { page, panel, tab, says } = await opened("plain", "use");
    await page.keyboard.press("Control+Shift+Enter");
    const { chip, value } = resultIn(page);
    await panel.getByRole("alert").getByText(/word/).waitFor();
    await panel.getByLabel("word (required)").fill("hello");
    await page.keyboard.press("Control+Shift+Enter");
    await chip.getByText("Run to Use succeeded").waitFor();
    await value("3");
    await accessible(page, "inspector, test");
    await tab("Command");
    await page.getByRole("textbox", { name: "Command", exact: true }).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" - ");
    await panel.getByText("Insert an earlier value").click();
    await panel.getByRole("treeitem", { name: "0:" }).locator("span").first().click();
    await panel.getByRole("treeitem", { name: "id: 7" }).click();
    await says("use", { content: "cat - ${1.items[0].id}" });
    await panel.getByRole("button", { name: "Show the rendered command" }).click();
    await panel.getByText(/^The rendered command/).waitFor();
    await accessible(page, "inspector, values to insert");
    await tab("Output");
    await panel.getByText('{"items":[{"id":7}],"total":3}').waitFor();
    await panel.getByText("Gives · 1 bytes").waitFor();
    await write(page, "Select", '"seen " & items[0].id');
    await panel.getByText("seen 7", { exact: true }).waitFor();
    await write(page, "Select", "$sum(");
    await panel
      .getByRole("status")
      .getByText(/Expected|before end/)
      .waitFor();
    await says("use", { output: { format: "json", select: "$sum(" } });
    // JSONata's own time limit does not stop this one: Curlew ends its thread, and the next answer comes from another.
    await write(page, "Select", '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)');
    await panel.getByText("It takes too long", { exact: true }).waitFor();
    await write(page, "Select", "items[0].id + 1");
    await panel.getByText("8", { exact: true }).waitFor();
    await accessible(page, "inspector, output");
  });

  test("a node is tried alone, with its parent's last value and with a value of mine, and nothing else runs", async () => {
    const { page, panel, server, tab } = await opened("alone", "use");
    const { chip, value } = resultIn(page);
    const made = () => server.read("made").length;
    await tab("Test");
    await panel.getByLabel("word (required)").fill("hello");
    await page.keyboard.press("Control+Shift+Enter");
    await chip.getByText("Run to Use succeeded").waitFor();
    await panel.getByText("Last value", { exact: false }).waitFor();
    await page.keyboard.press("Control+Enter");
    await chip.getByText("Test of Use succeeded").waitFor();
    await value("3");
    await panel.getByLabel(/value of "Make"/).selectOption("own");
    await panel.getByLabel("Value for ${1}").fill('{"total":"nine"}');
    await page.keyboard.press("Control+Enter");
    await value("nine");
    expect(made()).toBe(1);
  });

  test("a test that a pasted credential stops offers the fix where it says so, and then runs", async () => {
    const { page, panel, text, says } = await opened("pasted", "call");
    await panel.getByRole("tab", { name: /^Command.*found/ }).waitFor();
    await page.keyboard.press("Control+Enter");
    const shown = panel.getByRole("tabpanel", { name: "Test" });
    await shown.getByText("Fix the errors of the workflow first.").waitFor();
    await shown.getByRole("button", { name: "Move to a secret" }).click();
    await says("call", { auth: { type: "bearer", token: "${API_TOKEN}" } });
    await shown.getByRole("alert").waitFor({ state: "detached" });
    expect(text()).not.toContain(TOKEN);
    await shown.getByRole("button", { name: "Test this node" }).click();
    await resultIn(page).chip.getByText("Test of Call failed").waitFor();
    // The same value again is the same secret.
    await panel.getByRole("tab", { name: "Command" }).click();
    await write(page, "Command", `curl -fm 5 -H "X-Api-Key: ${TOKEN}" http://127.0.0.1:9/b`);
    await panel.getByRole("button", { name: "Move to a secret" }).click();
    await says("call", { content: expect.stringMatching(/X-Api-Key: \$\{API_TOKEN\}/) });
    expect(text()).toContain("secrets: [API_TOKEN]\n");
  });

  test("nothing selected: the workflow's own fields", async () => {
    const { page, panel, text, says } = await opened("head");
    await panel.getByLabel("Name", { exact: true }).fill("Orders");
    await says(undefined, { name: "Orders" });
    await panel.getByLabel("Name of a new input").fill("pages");
    await page.keyboard.press("Enter");
    await panel.getByRole("group", { name: "Input pages" }).getByLabel("Type").selectOption("integer");
    await panel.getByRole("group", { name: "Input pages" }).getByLabel("Default").fill("3");
    await says(undefined, { inputs: { repo: { type: "string" }, pages: { type: "integer", default: 3 } } });
    await panel.getByRole("button", { name: "+ Schedule" }).click();
    // A schedule says what it means before it is in the file.
    const schedule = page.getByRole("dialog", { name: "Add a schedule" });
    await schedule.getByLabel("Time zone").fill("Europe/Berlin");
    await schedule.getByLabel("When").selectOption({ label: "Monday to Friday at 09:00" });
    await schedule.getByText("At 09:00, Monday through Friday").waitFor();
    expect(text()).not.toContain("schedule");
    await schedule.getByRole("button", { name: "Add" }).click();
    await says(undefined, { on: [{ schedule: { cron: "0 9 * * mon-fri", timezone: "Europe/Berlin" } }] });
    await panel.getByLabel("Result of a run").selectOption("note");
    await says(undefined, { output: "note" });
    expect(text()).toContain("# keep me");
    await accessible(page, "inspector, the workflow");
    const edge = page.getByRole("separator", { name: "Width of the details" });
    const width = async () => (await panel.boundingBox())?.width ?? 0;
    await expect.poll(width).toBe(400);
    await edge.press("ArrowLeft");
    await expect.poll(width).toBeGreaterThan(400);
    const wider = await width();
    await page.reload();
    await edge.waitFor();
    await expect.poll(width).toBe(wider);
    await fits(page);
  });

  /** The run on the canvas, and the value in the bottom panel. */
  function resultIn(page: Page) {
    return {
      chip: page.getByTitle("Open the run"),
      async value(text: string): Promise<void> {
        await page.getByRole("tab", { name: "Value" }).click();
        await page.getByRole("tabpanel", { name: "Value" }).getByText(text, { exact: true }).waitFor();
      },
    };
  }
}
