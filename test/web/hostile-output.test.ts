// The UI shows as text what workflows, commands and prompts print (spec 4.3 S7, S8). It makes no element of it, so the
// content policy has nothing to stop. A console error or a request fails the test (browser.ts W1).

import { readFileSync } from "node:fs";
import { request as asking } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { inBrowser } from "./browser.ts";

const MARKUP = `<img src=x onerror="window.canary=1"><svg onload="window.canary=1"></svg><script>window.canary=1</script><iframe src="javascript:parent.canary=1"></iframe><a href="javascript:window.canary=1">click</a>`;
/** A window title, a terminal link, text that runs backwards. */
const STEERING =
  "\u001b]0;title\u0007\u001b]8;;javascript:window.canary=1\u001b\\here\u001b]8;;\u001b\\ \u202egnp.exe\u202c";
const long = `${MARKUP}${"A".repeat(20_000)}`;

const HOSTILE = `curlew: 1
name: ${JSON.stringify(`Hostile ${MARKUP}`)}
nodes:
  - { id: out, type: cli, data: { title: ${JSON.stringify(`Out ${MARKUP}`)}, content: "cat out.txt; cat out.txt >&2" } }
  - { id: gate, type: cli, data: { title: ${JSON.stringify(`Gate ${MARKUP}`)}, content: "cat out.txt >&2; exit 3", needsUserApproval: true, approval: { prompt: ${JSON.stringify(`Really? ${MARKUP}`)} } } }
edges: [out -> gate]
`;

/** Reverses the text after it, and hides a character. */
const REORDERS = "safe\u202egnp.exe\u200b\u2066x";
const NAMED = `curlew: 1
name: ${JSON.stringify(REORDERS)}
description: ${JSON.stringify(REORDERS)}
on: [{ webhook: { path: open, verify: none } }]
nodes:
  - { id: gate, type: cli, data: { title: ${JSON.stringify(REORDERS)}, content: "echo x", needsUserApproval: true } }
`;

if (has("chromium")) {
  const web = inBrowser({
    "hostile.flow.yaml": HOSTILE,
    "named.flow.yaml": NAMED,
    "out.txt": `${MARKUP}\n${STEERING}\n${long}\n`,
  });

  test("names that reorder or hide text show their hidden characters, wherever they are drawn", async () => {
    const { page, server, go } = await web.open();
    const begun = await server.api("POST", "/workflows/named.flow.yaml/runs?wait=20");
    const { id } = (await begun.json()) as { id: string };
    const { hooksUrl } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8")) as { hooksUrl: string };
    const sent = { method: "POST", headers: { "x-evil": MARKUP, "content-type": "text/plain" }, body: REORDERS };
    expect((await request(`${hooksUrl}/h/open`, sent)) < 300).toBe(true);
    const { items } = (await (await server.api("GET", "/deliveries")).json()) as { items: { id: string }[] };
    const places = {
      ...{ home: "/", runs: "/runs", inbox: "/inbox", editor: "/w/named.flow.yaml?node=gate" },
      ...{ run: `/runs/${id}?tab=timeline`, compare: `/runs/compare?a=${id}&b=${id}` },
      delivery: `/triggers?delivery=${items[0]!.id}`,
    };
    for (const [name, path] of Object.entries(places)) {
      await go(path);
      await page.locator(`:not(option):text("safe⟨U+202E⟩gnp.exe"):visible`).first().waitFor();
      expect(await page.evaluate(reordering), name).toEqual([]);
      await harmless(page, name);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page
      .getByRole("option", { name: /safe⟨U\+202E⟩gnp/ })
      .first()
      .waitFor();
    expect(await page.evaluate(reordering), "palette").toEqual([]);
  });

  test("names, titles, outputs, prompts and errors that contain markup are text on every screen", async () => {
    const { page, server, go } = await web.open();
    const begun = await server.api("POST", "/workflows/hostile.flow.yaml/runs?wait=20");
    const { id } = (await begun.json()) as { id: string };
    const shown = async (path: string): Promise<void> => {
      await go(path);
      const shownMarkup = page.getByText('<img src=x onerror="window.canary=1">').and(page.locator(":not(option)"));
      await shownMarkup.first().waitFor();
      await harmless(page, path);
    };
    await shown("/");
    await shown("/runs");
    await shown("/inbox");
    await shown(`/runs/${id}?node=out&tab=output`);
    await page.getByRole("log").getByText("<script>window.canary=1</script>").first().waitFor();
    await harmless(page, "the output");
    await shown(`/runs/${id}?node=out&tab=value`);
    await page
      .getByLabel(/^Value of Out/)
      .getByText("<script>window.canary=1</script>")
      .first()
      .waitFor();
    await shown("/w/hostile.flow.yaml");
    const { items } = (await (await server.api("GET", "/approvals")).json()) as { items: { id: string }[] };
    await server.api("POST", `/approvals/${items[0]!.id}/grant`, {});
    await expect
      .poll(async () => ((await (await server.api("GET", `/runs/${id}`)).json()) as { status: string }).status)
      .toBe("failed");
    await shown(`/runs/${id}?node=gate&tab=output`);
    await shown(`/runs/${id}?node=gate&tab=events`);
  });
}

/** In the page: finds texts, accessible names and tooltips that hide or reorder. Text that you edit stays as it is. */
function reordering(): string[] {
  const hidden = /[\u200b\u202a-\u202e\u2066-\u2069]/;
  return [...document.querySelectorAll("body *:not(script, style, textarea, input)")].flatMap((one) => {
    if (one.closest(".cm-editor") !== null) return [];
    const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent);
    const said = ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name));
    return [...own, ...said]
      .filter((text) => text !== null && hidden.test(text))
      .map((text) => `${one.tagName}: ${text}`);
  });
}

/** A form, because fetch tells the hook that a page asks. */
function request(
  url: string,
  { body, ...options }: { method: string; headers: object; body: string },
): Promise<number> {
  return new Promise((done, fail) => {
    const asked = asking(url, options as object, (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

/** Nothing ran, and no element came from the markup. */
async function harmless(page: Page, where: string): Promise<void> {
  const made = await page.evaluate(() => ({
    ran: "canary" in window,
    elements: [
      ...document.querySelectorAll(
        "img[src=x], iframe, [onload], [onerror], [href^='javascript:' i], script:not([src])",
      ),
    ].map((one) => one.outerHTML.slice(0, 120)),
    steering: document.body.textContent.includes("\u001b"),
  }));
  expect(made, where).toEqual({ ran: false, elements: [], steering: false });
}
