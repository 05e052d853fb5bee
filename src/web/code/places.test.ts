import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseWorkflow } from "../../workflow/parse.ts";
import { validateWorkflow } from "../../workflow/validate.ts";
import { findingsOf } from "./places.ts";

const findings = async (text: string) => findingsOf(text, (await validateWorkflow(text, "a.flow.yaml")).diagnostics);
const contentOf = (text: string): string => parse(text).nodes[0].data.content;

const command = (content: string) => `# a comment
curlew: 1
nodes:
  - id: a
    type: cli
    data:
      title: A
      content: ${content}
`;

describe("findings in fields", () => {
  it.each([
    ["on one line", 'curl "https://x.test/${pag}"'],
    ["quoted", `"curl \\"https://x.test/\${pag}\\""`],
    ["as a literal block", '|\n        echo one\n        curl "https://x.test/${pag}"'],
    ["folded", '>-\n        curl --silent\n        "https://x.test/${pag}"'],
    ["twice", "'echo ${HOME} ${pag} ${pag}'"],
  ])("are at the same characters of the value: %s", async (_how, content) => {
    const text = command(content);
    const value = contentOf(text);
    const found = (await findings(text))
      .at(["nodes", 0, "data", "content"])
      .filter(({ code }) => code === "unknown-name-in-shell");
    expect(found.length).toBeGreaterThan(0);
    for (const { start, end } of found) expect(value.slice(start, end)).toMatch(/pag|HOME/);
    expect(found.at(-1)!.start).toBe(value.indexOf("${pag}"));
  });

  it("are at the field if it isn't text, at the key of an unknown field, and around a missing one", async () => {
    const text = command('"true"').replace("title: A", "titel: A\n      retry: { maxAttempts: 0 }\n      timeout: 5");
    const found = await findings(text);
    expect(found.at(["nodes", 0, "data", "retry", "maxAttempts"])).toHaveLength(1);
    expect(found.at(["nodes", 0, "data", "timeout"]).map(({ code }) => code)).toEqual(["bad-duration"]);
    expect(found.at(["nodes", 0, "data", "titel"]).map(({ code }) => code)).toEqual(["unknown-field"]);
    expect(found.under(["nodes", 0]).length).toBe(found.all.length);
    expect(found.under(["nodes", 0, "data", "retry"])).toHaveLength(1);
  });

  it("survive a text that isn't YAML", () => {
    const text = "curlew: 1\nnodes: [";
    const { diagnostics } = parseWorkflow(text, "a.flow.yaml");
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(findingsOf(text, diagnostics).all).toHaveLength(diagnostics.length);
  });
});
