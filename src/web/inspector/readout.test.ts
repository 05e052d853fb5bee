import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseWorkflow } from "../../workflow/parse.ts";
import { sketchOf } from "../editor/read.ts";
import { readoutOf } from "./readout.ts";

function graphOf(content: string, data: Record<string, unknown> = {}) {
  const plain = {
    curlew: 1,
    inputs: { repo: { type: "string" } },
    secrets: ["TOKEN"],
    nodes: [
      { id: "before", type: "cli", data: { title: "Before", content: "true" } },
      { id: "a", type: "cli", data: { title: "A", content, ...data } },
    ],
    edges: ["before -> a"],
  };
  return sketchOf(parseWorkflow(stringify(plain), "a.flow.yaml"), plain);
}
const read = (content: string, data?: Record<string, unknown>) => readoutOf(graphOf(content, data), "a");

describe("the read-out of a command", () => {
  it("tells method, host, path, query, headers and body, values by name", async () => {
    const content =
      'curl -sS --fail-with-body -X PUT -H "Authorization: Bearer ${TOKEN}" -H \'Accept: application/json\' --json \'{"n": ${1|json}}\' "https://api.test/repos/${repo}/issues?page=2" | jq -r .id | sort -u';
    const { requests, pipelines } = await read(content);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      client: "curl",
      method: "PUT",
      url: "https://api.test/repos/${repo}/issues?page=2",
      headers: [
        { name: "Authorization", value: "Bearer ${TOKEN}" },
        { name: "Accept", value: "application/json" },
      ],
      body: [{ option: "--json", text: '{"n": ${1|json}}' }],
    });
    expect(pipelines).toEqual([["curl", "jq", "sort"]]);
  });

  it("tells why a person would be asked", async () => {
    const { asks } = await read("sudo rm -rf /srv/x; curl -X DELETE https://x.test/1");
    expect(asks.map(({ code }) => code)).toEqual(expect.arrayContaining(["deletes", "escalates"]));
  });

  it("separates commands that no pipe joins, and follows wrappers", async () => {
    const { pipelines } = await read("true && timeout 5 curl https://x.test | cat");
    expect(pipelines).toEqual([["true"], ["timeout curl", "cat"]]);
  });

  it("says when it cannot read the text, and shows no password in it", async () => {
    expect((await read("if true; then")).unread).toMatch(/cannot be read/);
    expect((await read("Write-Host hi", { shell: "pwsh" })).unread).toMatch(/bash, sh and zsh/);
    const { requests } = await read("curl -u me:hunter2 https://x.test");
    expect(requests[0]?.signsIn).toBe(true);
    expect(JSON.stringify(requests)).not.toContain("hunter2");
  });
});
