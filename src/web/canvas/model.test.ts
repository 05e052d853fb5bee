// The drawing of a workflow: cards in topological order, loops as boxes, waits as dashed lines, and a position for
// every node.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boxesOf, CARD } from "../../workflow/drawing/layout.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { canvasModel } from "./model.ts";
import { portsOf, sourceOf, targetOf } from "./ports.ts";
import { previewOf } from "./words.ts";

function drawn(text: string) {
  const { workflow } = parseWorkflow(text, "a.flow.yaml");
  if (workflow === undefined) throw new Error("not a workflow");
  return canvasModel(workflow, workflow);
}

const LOOP = `curlew: 1
nodes:
  - { id: end, type: loop-end, data: { title: All } }
  - { id: page, type: cli, data: { title: Page, content: "curl x/\${i}", retry: { maxAttempts: 3 } } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
  - { id: limit, type: variable, data: { title: Limit, variableName: limit, initialValue: "3" } }
  - { id: show, type: text, data: { title: Show, content: "\${1} \${limit}" } }
edges:
  - pages -> page -> end -> show
`;

describe("the line that a card shows", () => {
  it("is method and address of a curl command, whatever its options", () => {
    const shown = (content: string) => previewOf("cli", { content });
    expect(shown('curl --fail-with-body --silent -X DELETE "${api}/items/${1}"')).toBe(
      "curl -X DELETE ${api}/items/${1}",
    );
    expect(shown("set -e\n# first\ncurl -s https://x.test/a?b=1 | jq .")).toBe("curl https://x.test/a?b=1");
    expect(shown("# why\nsort -u")).toBe("sort -u");
  });
});

describe("the icon of a card", () => {
  it("is that of a request for a command that calls an API, as text or in a pipe", () => {
    const iconOf = (content: string) => {
      const text = JSON.stringify(content);
      return drawn(`curlew: 1\nnodes:\n  - { id: a, run: ${text} }\n`).byId.get("a")?.icon;
    };
    expect(iconOf("curl -sS https://x.test/a")).toBe("http");
    expect(iconOf("curl -sS https://x.test/a | jq .")).toBe("http");
    expect(iconOf("curlew http GET https://x.test/a")).toBe("http");
    expect(iconOf("echo curl")).toBe("cli");
    expect(iconOf("jq .")).toBe("cli");
  });
});

describe("the drawing", () => {
  it("has a loop right of what leads into its body, also where that has no way to its start", () => {
    const model = drawn(`curlew: 1
nodes:
  - { id: one, type: text, data: { title: One, content: a } }
  - { id: two, type: text, data: { title: Two, content: b } }
  - { id: again, type: loop-start, data: { title: Again, iterations: 2 } }
  - { id: both, type: text, data: { title: Both, content: "\${1} \${2}" } }
  - { id: done, type: loop-end, data: { title: Done } }
edges: [one -> two -> both, one -> both, again -> both -> done]
`);
    expect(model.positions.get("again")!.x).toBeGreaterThan(model.positions.get("two")!.x);
  });
  it("has cards in the order of the flow, and a loop as one box around its body", () => {
    const model = drawn(LOOP);
    expect(model.cards.map(({ id }) => id)).toEqual(["limit", "page", "show"]);
    expect(model.loops.get("pages")).toMatchObject({ body: ["page"], inside: ["page"], end: { id: "end" } });
    expect(model.byId.get("page")).toMatchObject({
      icon: "cli",
      preview: "curl x/${i}",
      facts: "up to 3 attempts",
      inputs: 1,
    });
    const page = model.positions.get("page")!;
    const box = boxesOf(model, model.positions).get("pages")!;
    expect(box.x).toBeLessThan(page.x);
    expect(box.x + box.width).toBeGreaterThan(page.x + CARD.width);
  });

  it("draws what only a name connects as a wait", () => {
    expect(drawn(LOOP).edges.find(({ kind }) => kind === "wait")).toMatchObject({ source: "limit", target: "show" });
  });

  it("finds the node behind each port of a box", () => {
    const model = drawn(LOOP);
    for (const edge of model.edges.filter(({ kind }) => kind === "edge")) {
      const ends = portsOf(model, edge);
      expect(sourceOf(model, ends.source, ends.sourceHandle)).toEqual({ source: edge.source });
      expect(targetOf(model, ends.target, ends.targetHandle)).toBe(edge.target);
    }
  });

  /** Cards and boxes that overlap although they must not. A box contains only the nodes of its loop. */
  function clashes(model: ReturnType<typeof drawn>): string[] {
    const cards = model.cards.map(({ id }) => ({
      id,
      inside: [] as readonly string[],
      ...model.positions.get(id)!,
      ...CARD,
    }));
    const boxes = [...boxesOf(model, model.positions)].map(([id, box]) => ({
      id,
      inside: [id, ...(model.loops.get(id)?.inside ?? [])],
      ...box,
    }));
    const all = [...cards, ...boxes];
    return all.flatMap((one, at) =>
      all
        .slice(at + 1)
        .filter((other) => !one.inside.includes(other.id) && !other.inside.includes(one.id))
        .filter((other) => one.x < other.x + other.width && other.x < one.x + one.width)
        .filter((other) => one.y < other.y + other.height && other.y < one.y + one.height)
        .map((other) => `${one.id} and ${other.id}`),
    );
  }

  it("puts no card on another, and none into the box of a loop that it is not in, on every example", () => {
    const folder = join(import.meta.dirname, "../../../examples");
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".flow.yaml")))
      expect(clashes(drawn(readFileSync(join(folder, name), "utf8"))), name).toEqual([]);
  });

  it("keeps loops in loops apart from what is beside them", () => {
    const loop = (id: string) => [
      `  - { id: ${id}, type: loop-start, data: { title: ${id}, iterations: 2 } }`,
      `  - { id: ${id}End, type: loop-end, data: { title: ${id} } }`,
    ];
    const text = (id: string) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }`;
    const model = drawn(`curlew: 1
nodes:
${[...loop("outer"), ...loop("inner"), ...loop("empty"), ...["a", "b", "c", "d", "e", "f", "g"].map(text)].join("\n")}
edges:
  - a -> outer -> b -> inner -> c -> innerEnd -> d -> outerEnd -> e
  - b -> f -> outerEnd
  - a -> g -> e
  - a -> empty -> emptyEnd -> e
`);
    expect(clashes(model)).toEqual([]);
  });

  it("draws 5,000 nodes quickly", () => {
    const nodes = Array.from({ length: 5000 }, (_, n) => ({ id: `n${n}`, type: "text", data: { title: `N ${n}` } }));
    const edges = nodes
      .slice(1)
      .map(({ id }, n) => ({ source: nodes[n - (n % 3 === 0 ? 0 : Math.min(n, 2))]!.id, target: id }));
    const workflow = { curlew: 1, name: "big", inputs: {}, secrets: [], finally: [], nodes, edges } as never;
    const before = process.threadCpuUsage().user;
    expect(canvasModel({ nodes, edges }, workflow).positions.size).toBe(5000);
    expect((process.threadCpuUsage().user - before) / 1000, "ms of the processor").toBeLessThan(1000);
  });
});
