// The panel works with the values of past runs, the last one or a chosen one (ui 6.3, spec 2.3). They appear in previews
// and in tests of a node, can be inserted or saved, and new runs start from them.

import { expect, test } from "vitest";
import { shortRunId } from "../../src/base/ids.ts";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser } from "./browser.ts";
import { told } from "./waits.ts";

const TWO = `curlew: 1
name: Two
inputs: { word: { type: string, default: none } }
nodes:
  - id: make
    type: cli
    data: { title: Make, content: 'printf x >> made; printf ''{"word":"%s"}'' "\${word}"' }
  - id: use
    type: cli
    data: { title: Use, content: cat, stdin: { source: parent-index, parentIndex: 0 }, output: { format: json, select: word } }
edges: [make -> use]
`;

const ONE = `curlew: 1
name: One
nodes:
  - id: a
    type: cli
    data: { title: First, content: echo one }
`;
const THREE = `curlew: 1
name: Three
nodes:
  - id: a
    type: cli
    data: { title: First, content: "echo ran >> ran.txt; echo one" }
  - id: b
    type: cli
    data: { title: Second, content: 'printf "%s and two" "\${1}"' }
  - id: c
    type: text
    data: { title: Third, content: "\${1} and three" }
edges:
  - a -> b -> c
`;

const TOKEN = `curlew: 1
name: Token
nodes:
  - { id: sign_in, run: 'printf "{\\"access_token\\":\\"%s\\"}" abcdef-"$((1233 + 1))"' }
  - { id: use, run: 'printf %s "\${sign_in.access_token}" | wc -c' }
`;

if (has("chromium")) {
  const web = inBrowser({
    "token.flow.yaml": TOKEN,
    "one.flow.yaml": ONE,
    "two.flow.yaml": TWO,
    "three.flow.yaml": THREE,
  });

  test("the run on the canvas gives its values to previews, insertions and tests, also after a test of one node", async () => {
    const { page, go, server } = await web.open();
    const run = async (word: string): Promise<string> => {
      const answer = await server.api("POST", "/workflows/two.flow.yaml/runs?wait=20", { inputs: { word } });
      const made = (await answer.json()) as { id: string; status: string };
      expect(made.status).toBe("succeeded");
      return made.id;
    };
    const early = await run("early");
    await run("late");
    await go("/w/two.flow.yaml?node=use");
    const panel = page.getByRole("complementary", { name: "Inspector" });
    const tab = (name: string) => panel.getByRole("tab", { name }).click();
    const result = page.getByRole("log");
    const chip = page.getByTitle("Open the run");
    await tab("Test");
    await panel.getByText('{"word":"late"}').waitFor();
    await go(`/w/two.flow.yaml?node=use&run=${early}`);
    await tab("Test");
    await panel.getByText('{"word":"early"}').waitFor();
    await panel.getByText(`Last value, run ${shortRunId(early)}`).waitFor();
    expect(await panel.getByLabel("word").inputValue()).toBe("early");
    await accessible(page, "inspector, values of the run on the canvas");
    await fits(page);
    await page.keyboard.press("Control+Enter");
    await chip.getByText("Test of Use succeeded").waitFor();
    await result.getByText('{"word":"early"}').waitFor();
    await tab("Command");
    await panel.getByText("Insert an earlier value").click();
    await panel.getByRole("treeitem", { name: /word: .*early/ }).waitFor();
    // A new run continues from it, with the current file and the values of that run.
    await tab("Test");
    await page.keyboard.press("Control+Alt+Enter");
    await chip.getByText(/^Run \w+ succeeded/).waitFor();
    await result.getByText('{"word":"early"}').waitFor();
    expect(server.read("made")).toBe("xx");
  });

  test("saving to a variable adds a Variable after the command, and the run passes the value through it", async () => {
    const { page, go, server } = await web.open();
    await go("/w/one.flow.yaml");
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByRole("tab", { name: "Output" }).click();
    await page.getByRole("button", { name: "Save to a variable" }).click();
    await page.locator(".react-flow__node", { hasText: "Save First" }).waitFor();
    await expect.poll(() => server.read("one.flow.yaml")).toMatch(/variableName: value[\s\S]*- a -> save_first\n/);
    const run = await server.api("POST", "/workflows/one.flow.yaml/runs?wait=20", {});
    expect(await run.json()).toMatchObject({ status: "succeeded", result: "one" });
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.getByText("Saved as ${value}").waitFor();
  });

  test("a token in an answer is kept secret with one press: later runs pass it on and don't store it", async () => {
    const { page, go, server } = await web.open();
    const run = async () => {
      const answer = await server.api("POST", "/workflows/token.flow.yaml/runs?wait=20", {});
      return (await answer.json()) as { id: string; result: string };
    };
    const { id } = await run();
    await go(`/w/token.flow.yaml?node=sign_in&run=${id}`);
    await page.getByText("abcdef-1234").first().waitFor();
    await page.keyboard.press("Control+J");
    await page.getByRole("button", { name: "Keep it secret" }).click();
    await expect.poll(() => server.read("token.flow.yaml")).toContain("${access_token}");
    const later = await run();
    expect(later.result).toBe("11");
    expect(await (await server.api("GET", `/runs/${later.id}`)).text()).not.toContain("abcdef-1234");
    await go(`/runs/${later.id}?node=sign_in`);
    await page.getByText("Its stdout is a secret, so Curlew did not keep it.").waitFor();
  });

  test("run from here names missing values without an earlier run, then reuses recorded values", async () => {
    const { page, go, server } = await web.open();
    await go("/w/three.flow.yaml");
    await page.locator('.react-flow__node[data-id="b"]').click();
    await page.getByRole("tab", { name: "Test" }).waitFor();
    await page.keyboard.press("Control+Alt+Enter");
    await told(
      page,
      "Run the workflow once first, so that Curlew can reuse the results of the nodes before this one.",
    ).waitFor();
    const whole = await server.api("POST", "/workflows/three.flow.yaml/runs?wait=20", {});
    expect(((await whole.json()) as { status: string }).status).toBe("succeeded");
    // The page knows the run.
    await page.getByText("Last value", { exact: false }).waitFor();
    await page.getByRole("tab", { name: "Command" }).click();
    await page.getByRole("textbox", { name: "Command" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type('printf "%s then two" "$');
    await page.keyboard.type('{1}"');
    await page.keyboard.press("Control+Alt+Enter");
    await page.getByRole("log").getByText("one then two").first().waitFor();
    await page.getByTitle("Open the run").click();
    await page.locator('.react-flow__node[data-id="c"]').getByText("succeeded").first().waitFor();
    await page.locator('.react-flow__node[data-id="c"]').click();
    await page.getByText("one then two and three").first().waitFor();
    expect(server.read("ran.txt")).toBe("ran\n");
  });
}
