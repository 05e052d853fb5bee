// run-flows: workflows with real commands for the tests of the run view and the inbox.

/** A chain, a branch that is not taken, a loop of four iterations, a saved value. */
export const TOUR = `curlew: 1
name: Tour
nodes:
  - { id: get, type: cli, data: { title: Get page, content: "printf 'one\\\\ntwo\\\\nthree\\\\n'; echo warning >&2" } }
  - { id: more, type: if, data: { title: More pages?, content: "1 > 0" } }
  - { id: single, type: cli, data: { title: Single page, content: "echo single" } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 4 } }
  - { id: fetch, type: cli, data: { title: Fetch, content: "echo page \${i}; sleep 0.2" } }
  - { id: collect, type: accumulator, data: { title: Collect, variableName: all, content: "\${1}" } }
  - { id: end, type: loop-end, data: { title: End of pages } }
  - { id: sum, type: cli, data: { title: Summarise, content: "echo done" } }
edges: [get -> more, "more:true -> pages", "more:false -> single", pages -> fetch, fetch -> collect, collect -> end, end -> sum]
`;

/** Asks before it deletes. The folder is the file's own. */
export const GATE = `curlew: 1
name: Gate
nodes:
  - { id: find, type: cli, data: { title: Find, content: "echo o_113" } }
  - { id: wipe, type: cli, data: { title: Delete stale, content: "echo deleting \${1} > deleted.txt; cat deleted.txt", needsUserApproval: true, approval: { prompt: "Really delete it?", timeout: 30m } } }
  - { id: after, type: cli, data: { title: After, content: "echo after" } }
edges: [find -> wipe, wipe -> after]
`;

/** Fails until a file "ready" exists beside it. */
export const BROKEN = `curlew: 1
name: Broken
nodes:
  - { id: first, type: cli, data: { title: First, content: "echo first; echo ran >> first-runs.txt" } }
  - { id: check, type: cli, data: { title: Check it, content: "echo looking for ready >&2; test -f ready && echo ok" } }
edges: [first -> check]
`;

/** One node fails beside the loop, and so do two of its four iterations. Each failure is allowed. */
export const MISHAPS = `curlew: 1
name: Mishaps
inputs: { api: { type: string, default: "http://127.0.0.1:9" } }
nodes:
  - { id: also, type: cli, data: { title: Also, content: "exit 3", continueOnError: true } }
  - { id: rest, type: cli, data: { title: Rest, content: "echo rest" } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 4 } }
  - { id: odd, type: if, data: { title: Odd?, content: "i = 2 or i = 4" } }
  - { id: fetch, type: cli, data: { title: Fetch, content: 'curl -sS "\${api}/\${i}"', continueOnError: true } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [also -> rest, rest -> pages, pages -> odd, "odd:true -> fetch", fetch -> end]
`;

/** Many lines at once, or a few per second. */
export const LINES = `curlew: 1
name: Lines
nodes:
  - { id: many, type: cli, data: { title: Many lines, content: "seq -f 'line %.0f of many' 1 100000" } }
`;
export const SLOW = `curlew: 1
name: Slow
nodes:
  - { id: slow, type: cli, data: { title: Slow lines, content: "for i in $(seq 1 2000); do echo tick $i; sleep 0.03; done" } }
`;

/** Writes to both streams in turn, waits for a file "go", and writes some more. */
export const TALK = `curlew: 1
name: Talk
nodes:
  - id: talk
    type: cli
    data:
      title: Talk
      content: |
        for i in 1 2 3; do echo said $i; echo warned $i >&2; done
        until test -e go; do sleep 0.05; done
        echo said 4; echo warned 4 >&2
        until test -e leave; do sleep 0.05; done
`;

/** Hundreds of events a second. */
export const BUSY = `curlew: 1
name: Busy
concurrency: 8
nodes:
  - { id: many, type: loop-start, data: { title: Many passes, iterations: 400, maxConcurrency: 8 } }
  - { id: quick, type: cli, data: { title: Quick, content: ":" } }
  - { id: note, type: text, data: { title: Note, content: "pass ${1}" } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [many -> quick, quick -> note, note -> end]
`;

/** One node in a loop of thousands of iterations: the smallest box. */
export const COUNTS = `curlew: 1
name: Counts
nodes:
  - { id: many, type: loop-start, data: { title: Passes, iterations: 2000, maxConcurrency: 8 } }
  - { id: note, type: text, data: { title: Note, content: "pass \${1}" } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [many -> note, note -> end]
`;

/** A workflow in a workflow: the inner one asks. */
export const OUTER = `curlew: 1
name: Outer
nodes:
  - { id: sub, type: subflow, data: { title: Inner part, workflow: gate.flow.yaml } }
`;

/** More than five megabytes. */
export const LARGE = `curlew: 1
name: Large
nodes:
  - { id: large, type: cli, data: { title: Large, content: "seq -f 'row %.0f of a large output that has many rows' 1 200000" } }
`;

/** Lines of JSON, and an output that ends in the middle of a line. */
export const JSON_LINES = `curlew: 1
name: Json
nodes:
  - id: json
    type: cli
    data:
      title: Json
      content: |
        printf '{"n":%s,"deep":{"a":[1,2]}}\\n' $(seq 30)
  - { id: open, type: cli, data: { title: Open end, content: "printf 'first\\\\nsecond'" } }
`;

/** A list, a call, an image that holds a script, and bytes that are not text. */
export const VALUES = `curlew: 1
name: Values
inputs: { api: { type: string } }
nodes:
  - { id: list, run: cat list.json }
  - id: call
    run: >-
      curl -sS --max-time 20 -H "Authorization: Bearer literal-credential" --json @- "\${api}/api/v1/runs"
    stdin: list
    httpErrors: ignore
  - { id: drawing, run: cat drawing.svg }
  - { id: cut, run: "printf '\\\\211PNG\\\\r\\\\n\\\\032\\\\n\\\\000'" }
  - { id: noise, run: "printf '\\\\000\\\\001\\\\377\\\\376GIF'" }
`;
const RAN = "window.canary=1";
const POSTS = Array.from({ length: 57 }, (_, at) => ({
  id: 101 + at,
  title: at === 56 ? `<img src=x onerror="${RAN}">` : "Post",
  tags: ["a", "b"],
}));
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RAN}" width="9" height="9"><script>${RAN}</script></svg>`;

export const FLOWS: Record<string, string> = {
  "tour.flow.yaml": TOUR,
  "gate.flow.yaml": GATE,
  "broken.flow.yaml": BROKEN,
  "mishaps.flow.yaml": MISHAPS,
  "lines.flow.yaml": LINES,
  "slow.flow.yaml": SLOW,
  "talk.flow.yaml": TALK,
  "busy.flow.yaml": BUSY,
  "counts.flow.yaml": COUNTS,
  "outer.flow.yaml": OUTER,
  "large.flow.yaml": LARGE,
  "json.flow.yaml": JSON_LINES,
  "values.flow.yaml": VALUES,
  "list.json": JSON.stringify(POSTS),
  "drawing.svg": DRAWING,
};
