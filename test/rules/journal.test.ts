// journal: rules of what a run records: its events, and what `runs show` makes of them (spec 2.7, 3.1).

import { expect, test } from "vitest";
import { eventsIn, folder } from "../cli/curlew.ts";

interface Story {
  workflow: string;
  exit?: number;
  /** `type path`, in order. */
  events: string[];
  /** `path: status`, and the causes of its attempts. */
  shown: string[];
}

const stories: [rule: string, Story][] = [
  [
    "iterations of a loop have their own paths",
    {
      workflow: `
nodes:
  - { id: l, type: loop-start, data: { title: L, iterations: 2 } }
  - { id: a, type: cli, data: { title: A, content: "echo \${i}" } }
  - { id: e, type: loop-end, data: { title: E } }
edges: [ l -> a -> e ]
`,
      events: [
        "run.started",
        "loop.started l",
        "pass.started l[0]",
        "attempt.started a[0]",
        "attempt.succeeded a[0]",
        "pass.succeeded l[0]",
        "pass.started l[1]",
        "attempt.started a[1]",
        "attempt.succeeded a[1]",
        "pass.succeeded l[1]",
        "node.succeeded e",
        "run.succeeded",
      ],
      shown: ["l: succeeded", "a[0]: succeeded exited(0)", "a[1]: succeeded exited(0)", "e: succeeded"],
    },
  ],
  [
    "a failure, a second attempt, and what is not run any more",
    {
      workflow: `
nodes:
  - { id: a, type: cli, data: { title: A, content: exit 7, retry: { maxAttempts: 2, initialInterval: 1ms } } }
  - { id: b, type: text, data: { title: B, content: b } }
edges: [ a -> b ]
`,
      exit: 1,
      events: [
        "run.started",
        "attempt.started a",
        "attempt.failed a",
        "attempt.started a",
        "attempt.failed a",
        "node.skipped b",
        "run.failed a",
      ],
      shown: ["a: failed exited(7) exited(7)", "b: skipped"],
    },
  ],
  [
    "an approval keeps the run waiting",
    {
      workflow: `
nodes:
  - { id: a, type: cli, data: { title: A, content: echo a, needsUserApproval: true } }
`,
      exit: 3,
      events: ["run.started", "approval.requested a"],
      shown: ["a: waiting"],
    },
  ],
];

test.each(stories)("%s", async (_, { workflow, exit = 0, events, shown }) => {
  const at = folder({ "t.flow.yaml": `curlew: 1\nname: T${workflow}` });
  const ran = await at.run("run t.flow.yaml --json");
  const told: { seq: number; type: string; path?: string }[] = eventsIn(ran);
  expect(told.map(({ type, path }) => (path === undefined ? type : `${type} ${path}`))).toEqual(events);
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index + 1));
  expect(ran.code).toBe(exit);
  const show = await at.run("runs show latest --json");
  const run = JSON.parse(show.stdout) as {
    nodes: { path: string; status: string; attempts: { cause?: string }[] }[];
  };
  expect(
    run.nodes.map(({ path, status, attempts }) =>
      [`${path}: ${status}`, ...attempts.map(({ cause }) => cause)].join(" "),
    ),
  ).toEqual(shown);
});
