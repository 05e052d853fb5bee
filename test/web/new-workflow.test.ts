// From New to a workflow of three API calls, with the tiles of the empty canvas and the form of a request (ui-2 5, 9).

import { expect, onTestFinished, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/server.ts";
import { has } from "../setup/machine.ts";
import { accessible, inBrowser } from "./browser.ts";
import { chosen, focused, told } from "./waits.ts";

const EMPTY = "curlew: 1\nname: Mine\nnodes: []\n";
const ONE = "curlew: 1\nname: Mine\nnodes:\n  - { id: get, run: curl --fail https://api.example.com/items }\n";
const CALLS = "curl https://api.example.com/users\ncurl -X POST https://api.example.com/orders -d '{}'\n";

if (has("chromium")) {
  const web = inBrowser({
    "form.flow.yaml": EMPTY,
    "run.flow.yaml": EMPTY,
    "key.flow.yaml": EMPTY,
    "method.flow.yaml": EMPTY,
    "undone.flow.yaml": EMPTY,
    "dragged.flow.yaml": EMPTY,
    "dropped.flow.yaml": ONE,
    "example.flow.yaml": EMPTY,
    "pasted.flow.yaml": EMPTY,
    "tokens.flow.yaml": EMPTY,
    "signed.flow.yaml": EMPTY,
    "oauth.flow.yaml": EMPTY,
    "entries.flow.yaml": EMPTY,
  });

  test("the form of a request writes curl, gives the node its title and id, and follows the command", async () => {
    const { page, go, server } = await web.open();
    await go("/w/form.flow.yaml");
    const file = () => server.read("form.flow.yaml");
    const url = page.getByRole("textbox", { name: "URL", exact: true });
    // The keyboard is at the first tile.
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.keyboard.press("Enter");
    await focused(url);
    await page.keyboard.type("https://api.example.com/items?state=open");
    await page.keyboard.press("Tab");
    await expect.poll(file).toContain("- id: get_items\n    title: GET /items\n");
    // The focus stays on its way while the id changes.
    await page.locator("summary", { hasText: "Headers" }).click();
    await page.getByLabel("Name of a new header").fill("Accept");
    await page.keyboard.press("Enter");
    await focused(page.getByRole("textbox", { name: "Value of Accept" }));
    await page.keyboard.type("text/plain");
    await page.getByLabel("Sign in").selectOption("Bearer token");
    await page.getByRole("textbox", { name: "Token", exact: true }).getByText("${API_TOKEN}").waitFor();
    await expect.poll(file).toMatch(/secrets:[^\n]*\n? *-? ?\[?API_TOKEN[\s\S]*token: "?\$\{API_TOKEN\}/);
    await page.getByLabel("Body", { exact: true }).selectOption("json");
    await page.getByLabel("Body", { exact: true }).focus();
    await page.keyboard.press("Tab");
    await focused(page.getByRole("textbox", { name: "JSON body" }));
    await page.keyboard.type('"a":1');
    await expect
      .poll(file)
      .toMatch(
        /curl --fail-with-body -sS --max-time 30 -H 'Accept: text\/plain' --json '\{\\"a\\":1\}' .*items\?state=open/,
      );
    await accessible(page, "the form of a request");

    await page.getByLabel("Title").fill("Fetch items");
    await page.keyboard.press("Tab");
    await focused(page.getByLabel("Method", { exact: true }));
    await expect.poll(file).toContain("- id: fetch_items\n");
    await page.getByRole("button", { name: "Undo: Change title of GET /items" }).click();
    await expect.poll(file).toContain("- id: get_items\n    title: GET /items\n");

    const command = page.getByRole("textbox", { name: "Command", exact: true });
    await command.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText("curl https://api.example.com | jq .");
    await page.getByText("There is no form here because it has a pipe.").waitFor();
  });

  test("a drag out of a port right after the URL starts at the node, although its id changes with the press", async () => {
    const { page, go, server } = await web.open();
    await go("/w/dragged.flow.yaml");
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("textbox", { name: "URL", exact: true }));
    await page.keyboard.type("https://api.example.com/items");
    const port = page.locator(".react-flow__handle.source").first();
    // Waits until the canvas no longer moves.
    await port.hover();
    const from = (await port.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 140, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("dialog", { name: "Add a node" }).getByRole("combobox").fill("jq length");
    await chosen(page.getByRole("option", { name: /^Run this command/ }));
    await page.keyboard.press("Enter");
    await expect
      .poll(() => server.read("dragged.flow.yaml"))
      .toMatch(/- id: get_items\n[\s\S]*(?:after|stdin): get_items\n/);
  });

  test("an edge that was dropped follows a node whose id changes while the box of kinds is open", async () => {
    const { page, go, server } = await web.open();
    await go("/w/dropped.flow.yaml");
    await page.locator(".react-flow__handle.source").first().hover();
    await page.mouse.down();
    await page.mouse.move(600, 400, { steps: 4 });
    await page.mouse.up();
    const box = page.getByRole("dialog", { name: "Add a node" });
    await box.getByRole("combobox").fill("jq length");
    server.write("dropped.flow.yaml", ONE.replace("id: get", "id: items"));
    await page.locator('.react-flow__node[data-id="items"]').waitFor();
    await chosen(page.getByRole("option", { name: /^Run this command/ }));
    await page.keyboard.press("Enter");
    await expect.poll(() => server.read("dropped.flow.yaml")).toMatch(/(?:after|stdin): items\n/);
  });

  test("Run, pressed right after the URL, runs the node under the id that it gets with the press", async () => {
    const { page, go } = await web.open();
    await go("/w/run.flow.yaml");
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.keyboard.press("Enter");
    await focused(page.getByRole("textbox", { name: "URL", exact: true }));
    await page.keyboard.type("http://127.0.0.1:9/items");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const card = page.locator('.react-flow__node[data-id="get_items"]');
    await card.getByText("failed").first().waitFor();
  });

  /** A new request with this URL, with the keyboard still in its field. */
  const typed = async (name: string, address: string) => {
    const view = await web.open();
    await view.go(`/w/${name}.flow.yaml`);
    await focused(view.page.getByRole("button", { name: /^HTTP request/ }));
    await view.page.keyboard.press("Enter");
    const url = view.page.getByRole("textbox", { name: "URL", exact: true });
    await focused(url);
    await view.page.keyboard.type(address);
    return { ...view, url, file: () => view.server.read(`${name}.flow.yaml`) };
  };

  test("Ctrl+Enter in the URL gives the node its id, runs it, and leaves the keyboard where it is", async () => {
    const { page, url } = await typed("key", "http://127.0.0.1:9/items");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.locator('.react-flow__node[data-id="get_items"]').getByText("failed").first().waitFor();
    await focused(url);
    await page.keyboard.type("/7");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByTitle("Open the run").getByText("Test of GET /items/7 failed").waitFor();
    await focused(url);
  });

  test("a method chosen right after the URL is kept, and so is the keyboard's place", async () => {
    const { page, file } = await typed("method", "https://api.example.com/items");
    await page.keyboard.press("Shift+Tab");
    const method = page.getByLabel("Method", { exact: true });
    await focused(method);
    await page.keyboard.type("P");
    await page.keyboard.press("Tab");
    await expect.poll(file).toMatch(/- id: post_items\n[\s\S]*title: POST \/items\n[\s\S]*-X POST/);
    await focused(page.getByRole("textbox", { name: "URL", exact: true }));
    // The other way round: the id changes while the method has the focus.
    await page.keyboard.press("End");
    await page.keyboard.type("/7");
    await method.selectOption("PUT");
    await expect.poll(file).toMatch(/-X PUT[\s\S]*items\/7/);
    expect(await method.inputValue()).toBe("PUT");
  });

  test("after the title is undone, another URL leaves it alone", async () => {
    const { page, url, file } = await typed("undone", "https://api.example.com/items");
    await page.keyboard.press("Tab");
    await expect.poll(file).toContain("title: GET /items\n");
    await page.getByRole("button", { name: "Undo: Change title of HTTP request" }).click();
    await expect.poll(file).toContain("title: HTTP request\n");
    await url.click();
    await page.keyboard.press("End");
    await page.keyboard.type("/7");
    await page.keyboard.press("Tab");
    await expect.poll(file).toContain("items/7");
    await page.getByLabel("Body", { exact: true }).selectOption("json");
    await expect.poll(file).toContain("--json");
    expect(file()).toContain("title: HTTP request\n");
  });

  test("a test right after Sign in asks for the secret, before the server refuses it", async () => {
    const { page } = await typed("signed", "http://127.0.0.1:9/items");
    // The page learns of the new secret only after the file is saved.
    const saved = page.waitForResponse((answer) => !!answer.request().postData()?.includes("API_TOKEN"));
    await page.route("**/api/v1/secrets", async (route) => {
      await (await saved).finished();
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await route.continue();
    });
    const signIn = page.getByLabel("Sign in");
    await signIn.focus();
    await signIn.selectOption("Bearer token");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByRole("dialog", { name: "Set API_TOKEN" }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("OAuth 2.0 is filled in beside the URL by keyboard alone, and another request chooses it", async () => {
    const api = await startSampleApi();
    onTestFinished(() => api.close());
    const { page, file } = await typed("oauth", `${api.url}/protected/oauth`);
    const text = (name: string) => page.getByRole("textbox", { name, exact: true });
    const signIn = page.getByLabel("Sign in");
    await signIn.focus();
    // The arrow keys pass by other choices, which leave nothing behind.
    for (const _ of ["bearer", "basic", "header", "oauth"]) await page.keyboard.press("ArrowDown");
    await text("Token URL").waitFor();
    await expect.poll(file).toContain("secrets: [API_CLIENT_SECRET]\n");
    const field = page.getByRole("region", { name: "Sign-in api" });
    await field.getByText('"tokenUrl" is empty.').waitFor();
    expect(await page.getByRole("link", { name: "Use OAuth 2.0" }).getAttribute("href")).toBe("/docs/how-to/oauth");
    await accessible(page, "a sign-in with OAuth 2.0");
    await page.keyboard.press("Tab");
    await focused(text("Token URL"));
    await page.keyboard.insertText(`${api.url}/oauth/token`);
    await page.keyboard.press("Tab");
    await focused(text("Client ID"));
    await page.keyboard.insertText("sample-client");
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByRole("dialog", { name: "Set API_CLIENT_SECRET" }).waitFor();
    await page.keyboard.insertText("sample-client-secret");
    await page.keyboard.press("Enter");
    await page.locator('.react-flow__node[data-id="get_protected_oauth"]').getByText("succeeded").first().waitFor();
    expect(file()).toContain(`auth:
  api:
    type: oauth2-client-credentials
    tokenUrl: "${api.url}/oauth/token"
    clientId: "sample-client"
    clientSecret: "\${API_CLIENT_SECRET}"
`);
    expect(file()).toMatch(/- id: get_protected_oauth\n[\s\S]*auth: api\n/);
  });

  test("an entry of the workflow gets its type before anything is asked, and another type later", async () => {
    const { page, go, server } = await web.open();
    await go("/w/entries.flow.yaml");
    const file = () => server.read("entries.flow.yaml");
    // The fields of the workflow are one key away from the canvas.
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.keyboard.press("w");
    await focused(page.getByRole("textbox", { name: "Name", exact: true }));
    await page.keyboard.press("Escape");
    await focused(page.getByRole("button", { name: /^HTTP request/ }));
    await page.getByLabel("Type of a new sign-in").selectOption("User name and password");
    await page.getByLabel("Name of a new sign-in").fill("shop");
    await page.keyboard.press("Enter");
    await expect.poll(file).toMatch(/secrets: \[SHOP_PASSWORD\]\n[\s\S]*shop:\n? *\{? ?type: basic/);
    await page.getByLabel("Type of shop").selectOption("Bearer token");
    await expect.poll(file).toMatch(/secrets: \[SHOP_TOKEN\]\n[\s\S]*shop:\n? *\{? ?type: bearer/);
    await page.getByRole("button", { name: "Remove shop" }).click();
    await expect.poll(file).toBe(EMPTY);
  });

  test("a pasted token whose name has another value gets another name, and replaces only if you say so", async () => {
    const { page, go, server } = await web.open();
    await go("/w/tokens.flow.yaml");
    const paste = async (path: string, token: string) => {
      const text = `curl https://api.example.com/${path} -H 'Authorization: Bearer ${token}'`;
      await page.locator("[data-part=work]").waitFor();
      await page.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", pasted);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
      await page.locator(`.react-flow__node[data-id="get_${path}"]`).waitFor();
    };
    const button = (name: string) => page.getByRole("button", { name });
    const file = () => server.read("tokens.flow.yaml");
    await paste("one", "first-0123456789-abc");
    await button("Save API_TOKEN (••••abc)").click();
    await told(page, "Saved API_TOKEN").waitFor();

    await paste("two", "second-0123456789-xyz");
    await button("Replace API_TOKEN").waitFor();
    await accessible(page, "a choice of names");
    await button("Save API_TOKEN_2 (••••xyz)").click();
    await told(page, "Saved API_TOKEN_2").waitFor();
    await expect.poll(file).toMatch(/- id: get_two\n[\s\S]*token: \$\{API_TOKEN_2\}\n/);

    // The value of a secret is not saved under a second name.
    await paste("three", "first-0123456789-abc");
    await button("Save API_TOKEN_3 (••••abc)").click();
    await told(page, "API_TOKEN has this value already").waitFor();
    await expect.poll(file).toMatch(/- id: get_three\n[\s\S]*token: \$\{API_TOKEN\}\n/);

    await paste("four", "third-0123456789-def");
    await button("Replace API_TOKEN").click();
    await told(page, "Replaced API_TOKEN").waitFor();
    await expect.poll(file).toMatch(/- id: get_four\n[\s\S]*token: \$\{API_TOKEN\}\n/);
    expect(file()).not.toContain("API_TOKEN_3");
  });

  test("the tiles paste several commands, which are connected, and start from an example", async () => {
    const { page, go, server } = await web.open();
    await go("/w/pasted.flow.yaml");
    await page
      .getByRole("region", { name: "Start here" })
      .getByRole("button", { name: /^Paste curl/ })
      .click();
    const command = page.getByRole("dialog").getByLabel("curl command");
    await command.fill(`curl https://api.example.com/users -d '${"x".repeat(100_000)}'`);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("This curl command is longer than 100 kB.").waitFor();
    await command.fill(CALLS);
    await page.keyboard.press("Control+Enter");
    await page.locator('.react-flow__node[data-id="post_orders"]').waitFor();
    await expect.poll(() => server.read("pasted.flow.yaml")).toMatch(/- id: get_users\n[\s\S]*after: get_users\n/);
    // A .env file becomes secrets, which the workflow then names.
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "# shop\nSHOP_TOKEN=abcdef-1234\n");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByRole("dialog", { name: "Add a secret" }).getByRole("button", { name: "Save 1 secret" }).click();
    await expect.poll(() => server.read("pasted.flow.yaml")).toMatch(/^secrets:.*\n?.*SHOP_TOKEN/m);

    await go("/w/example.flow.yaml");
    await page
      .getByRole("region", { name: "Start here" })
      .getByRole("button", { name: /^From an example/ })
      .click();
    const box = page.getByRole("dialog", { name: "Start from an example" });
    await box.getByRole("combobox").fill("hello");
    await accessible(page, "the examples");
    await chosen(page.getByRole("option", { name: /^Hello/ }));
    await page.keyboard.press("Enter");
    await page.locator('.react-flow__node[data-id="shout"]').waitFor();
    // All of it, with its comments, under the name that the workflow had.
    await expect.poll(() => server.read("example.flow.yaml")).toMatch(/^# The smallest[\s\S]*\nname: "Mine"\n/);
  });
}
