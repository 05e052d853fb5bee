// loops: rules of loops (spec 1.2).

import { rules } from "./rules.ts";

rules([
  [
    "iterations count from 1",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "p3\n",
    },
  ],
  [
    "start and loopVariable",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3, start: 0, loopVariable: page}}, {id: b, type: cli, data: {title: A, content: "echo p\${page} \${1} >> log; cat log"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "p0 0\np1 1\np2 2\n",
    },
  ],
  [
    "iterations and start from templates",
    {
      args: ["--input", "n=2"],
      workflow: `
inputs: {n: {type: integer}}
nodes: [{id: l, type: loop-start, data: {title: A, iterations: "\${n}", start: "\${n}"}}, {id: b, type: accumulator, data: {title: A, variableName: acc, content: "x\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "x2\nx3\n",
    },
  ],
  [
    "no pass: the loop end hands on an empty value",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 0}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}, {id: z, type: text, data: {title: A, content: "<\${1}>"}}]
edges: [l -> b -> e -> z]
`,
      stdout: "<>\n",
    },
  ],
  [
    "no item: the loop end hands on an empty value",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, items: "[]"}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}, {id: z, type: text, data: {title: A, content: "<\${1}>"}}]
edges: [l -> b -> e -> z]
`,
      stdout: "<>\n",
    },
  ],
  [
    "fewer than no passes",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: -1}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 2,
      says: ['3:64 error[out-of-range]: "iterations" must be 0 or more, not -1.'],
    },
  ],
  [
    "fewer than no passes, from a template",
    {
      args: ["--input", "n=-2"],
      workflow: `
inputs: {n: {type: integer}}
nodes: [{id: l, type: loop-start, data: {title: A, iterations: "\${n}"}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 1,
      says: [
        'error[loop-not-a-number]: Node "l" failed: "iterations" of the loop must be a whole number, 0 or more; it is "-2".',
      ],
    },
  ],
  [
    "iterations that are no number",
    {
      args: ["--input", "n=abc"],
      workflow: `
inputs: {n: {type: string}}
nodes: [{id: l, type: loop-start, data: {title: A, iterations: "\${n}"}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 1,
      says: [
        'error[loop-not-a-number]: Node "l" failed: "iterations" of the loop must be a whole number, 0 or more; it is "abc".',
      ],
    },
  ],
  [
    "half a pass",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 1.5}}, {id: b, type: cli, data: {title: A, content: "echo p\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 2,
      says: ['3:64 error[bad-count]: "iterations" must be a whole number or a template like ${pages}, not 1.5.'],
    },
  ],
  [
    "for each item: i, item, and members of it",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, items: '[{"id":1},{"id":2}]'}}, {id: b, type: cli, data: {title: A, content: "echo \${i} \${item.id} \${item} \${1}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: '["1 1 {\\"id\\":1} {\\"id\\":1}","2 2 {\\"id\\":2} {\\"id\\":2}"]\n',
    },
  ],
  [
    "lines are items",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "printf 'a b\\\\n\\\\nc\\\\n'"}},{id: l, type: loop-start, data: {title: A, items: '\${1}', as: name}}, {id: b, type: cli, data: {title: A, content: "printf '<%s>' \${name}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      stdout: '["<a b>","<>","<c>"]\n',
    },
  ],
  [
    "items from an expression",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "echo '{\\"items\\":[{\\"id\\":5},{\\"id\\":6}]}'"}},{id: l, type: loop-start, data: {title: A, items: 'inputs[0].items.id', as: n}}, {id: b, type: cli, data: {title: A, content: "echo \${n}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      stdout: "[5,6]\n",
    },
  ],
  [
    "an array of one item is one item",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "echo '{\\"items\\":[{\\"id\\":5}]}'"}},{id: l, type: loop-start, data: {title: A, items: 'inputs[0].items', as: n}}, {id: b, type: cli, data: {title: A, content: "echo \${n.id}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      stdout: "[5]\n",
    },
  ],
  [
    "an expression that finds nothing gives no items",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "echo '{\\"items\\":[{\\"id\\":5}]}'"}},{id: l, type: loop-start, data: {title: A, items: 'inputs[0].nope', as: n}}, {id: b, type: cli, data: {title: A, content: "echo \${n.id}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      stdout: "\n",
    },
  ],
  [
    "an object is no list",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "echo '{\\"a\\":1}'"}},{id: l, type: loop-start, data: {title: A, items: '\${1}'}}, {id: b, type: cli, data: {title: A, content: "echo \${item}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      exit: 1,
      says: [
        'error[items-not-a-list]: Node "l" failed: "items" of the loop must be a JSON array or lines; it is a JSON object with the members a.',
      ],
    },
  ],
  [
    "lines of JSON are items",
    {
      workflow: `
nodes: [{id: p, type: cli, data: {title: P, content: "printf '{\\"a\\":1}\\\\n{\\"a\\":2}\\\\n'"}},{id: l, type: loop-start, data: {title: A, items: '\${1}'}}, {id: b, type: cli, data: {title: A, content: "echo \${item.a}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [p -> l -> b -> e]
`,
      stdout: "[1,2]\n",
    },
  ],
  [
    "items from an input",
    {
      workflow: `
inputs: {ids: {type: array, default: [1, "b", {c: 2}]}}
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "\${ids}"}}
  - {id: b, type: text, data: {title: B, content: "<\${item}>"}}
  - {id: oe, type: loop-end, data: {title: E}}
edges: [o -> b -> oe]
`,
      stdout: '["<1>","<b>","<{\\"c\\":2}>"]\n',
    },
  ],
  [
    "items from an input, by expression",
    {
      workflow: `
inputs: {ids: {type: array, default: [1, "b", {c: 2}]}}
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "vars.ids"}}
  - {id: b, type: text, data: {title: B, content: "<\${item}>"}}
  - {id: oe, type: loop-end, data: {title: E}}
edges: [o -> b -> oe]
`,
      stdout: '["<1>","<b>","<{\\"c\\":2}>"]\n',
    },
  ],
  [
    "items from a member",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: B, content: '{"a":[1,2]}'}}
  - {id: o, type: loop-start, data: {title: A, items: "\${1.a}"}}
  - {id: b, type: text, data: {title: B, content: "<\${item}>"}}
  - {id: oe, type: loop-end, data: {title: E}}
edges: [p -> o -> b -> oe]
`,
      stdout: '["<1>","<2>"]\n',
    },
  ],
  [
    "while asks a Variable before each pass",
    {
      workflow: `
nodes: [{id: v, type: variable, data: {title: V, variableName: n, initialValue: "0", content: "\${1}"}}, {id: l, type: loop-start, data: {title: A, while: "$number(vars.n) < 3"}}, {id: b, type: cli, data: {title: A, content: "echo $((n+1))", env: {static: {n: "\${n}"}}}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> v -> e]
`,
      stdout: "3\n",
    },
  ],
  [
    "while sees the counter",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, while: "i <= 4"}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "4\n",
    },
  ],
  [
    "while may compare texts",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, while: "\${i} != 4"}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "3\n",
    },
  ],
  [
    "until ends a loop of counted passes",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 10}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A, until: "inputs[0] = 4"}}]
edges: [l -> b -> e]
`,
      stdout: "4\n",
    },
  ],
  [
    "until alone is enough",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A, until: "inputs[0] >= 3"}}]
edges: [l -> b -> e]
`,
      stdout: "3\n",
    },
  ],
  [
    "until asks a Variable; pages are collected",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, maxIterations: 20}}
  - {id: b, type: cli, data: {title: B, content: "[ \${i} -ge 3 ] && echo '{\\"next\\":null}' || echo '{\\"next\\":5}'"}}
  - {id: v, type: variable, data: {title: V, variableName: page}}
  - {id: acc, type: accumulator, data: {title: V, variableName: all, content: "\${i}"}}
  - {id: e, type: loop-end, data: {title: E, until: "vars.page.next = null"}}
  - {id: z, type: text, data: {title: Z, content: "\${all|json}"}}
edges: [l -> b -> v -> acc -> e -> z]
`,
      stdout: '"1\\n2\\n3"\n',
    },
  ],
  [
    "until asks for an exit code",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, maxIterations: 20}}
  - {id: b, type: cli, data: {title: B, content: "[ \${i} -ge 3 ]; x=$?; echo \${i}; exit $x", continueOnError: true}}
  - {id: e, type: loop-end, data: {title: E, until: "exitCode = 0"}}
edges: [l -> b -> e]
`,
      stdout: "3\n",
    },
  ],
  [
    "until may compare texts",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, maxIterations: 20}}
  - {id: b, type: cli, data: {title: B, content: "[ \${i} -ge 3 ] && echo done || echo no"}}
  - {id: e, type: loop-end, data: {title: E, until: "\${1} == done"}}
edges: [l -> b -> e]
`,
      stdout: "done\n",
    },
  ],
  [
    "while and until see a counter of another name",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, while: "page <= 4", loopVariable: page}}, {id: b, type: cli, data: {title: A, content: "echo \${page}"}}, {id: e, type: loop-end, data: {title: A, until: "page = 2"}}]
edges: [l -> b -> e]
`,
      stdout: "2\n",
    },
  ],
  [
    "until sees the item",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, items: "[1,2,3]"}}, {id: b, type: cli, data: {title: A, content: "echo \${item}"}}, {id: e, type: loop-end, data: {title: A, until: "item = 2"}}]
edges: [l -> b -> e]
`,
      stdout: "[1,2]\n",
    },
  ],
  [
    "a loop says how often it runs",
    {
      verb: "validate",
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 2,
      says: ['3:14 error[loop-without-count]: Loop "l" does not say how often it runs.'],
    },
  ],
  [
    "a loop says it once",
    {
      verb: "validate",
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 2, items: "[1]", while: "1=1"}}, {id: b, type: cli, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 2,
      says: ['3:67 error[loop-with-two-counts]: Loop "l" has iterations, items and while; a loop has one of them.'],
    },
  ],
  [
    "maxIterations ends a loop that does not end",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, while: "true", maxIterations: 3}}, {id: b, type: text, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 1,
      says: ['error[loop-limit]: Node "l" failed: The loop "l" reached its limit of 3 passes.'],
    },
  ],
  [
    "a loop may come to its limit exactly",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, while: "i < 4", maxIterations: 3}}, {id: b, type: text, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      stdout: "echo 3\n",
    },
  ],
  [
    "more items than maxIterations",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, items: "[1,2,3,4]", maxIterations: 3}}, {id: b, type: text, data: {title: A, content: "echo \${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> e]
`,
      exit: 1,
      says: ['error[loop-limit]: Node "l" failed: The loop "l" reached its limit of 3 passes.'],
    },
  ],
  [
    "passes side by side keep their order",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, items: "[3,2,1]", maxConcurrency: 3}}, {id: b, type: cli, data: {title: A, content: "sleep 0.\${item}; echo \${item} \${i}"}}, {id: c, type: accumulator, data: {title: A, variableName: acc}}, {id: e, type: loop-end, data: {title: A}},{id: z, type: text, data: {title: A, content: "\${1} \${acc}"}}]
edges: [l -> b -> c -> e -> z]
`,
      stdout: '["3 1","3 1\\n2 2","3 1\\n2 2\\n1 3"] 3 1\n2 2\n1 3\n',
    },
  ],
  [
    "loops nest; an Accumulator collects over all of them",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, iterations: 2, loopVariable: x}}
  - {id: n, type: loop-start, data: {title: A, iterations: 2, loopVariable: y}}
  - {id: b, type: text, data: {title: A, content: "\${x}\${y}"}}
  - {id: acc, type: accumulator, data: {title: A, variableName: acc, format: json}}
  - {id: ne, type: loop-end, data: {title: A}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> n -> b -> acc -> ne -> oe]
`,
      stdout: "[11,12,21,22]\n",
    },
  ],
  [
    "the innermost name wins",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[\\"a\\",\\"b\\"]"}}
  - {id: n, type: loop-start, data: {title: A, items: "[\\"c\\",\\"d\\"]"}}
  - {id: b, type: text, data: {title: A, content: "\${i}\${item}"}}
  - {id: ne, type: loop-end, data: {title: A}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> n -> b -> ne -> oe]
`,
      stdout: '[["1c","2d"],["1c","2d"]]\n',
    },
  ],
  [
    "a loop in parallel passes",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[\\"a\\",\\"b\\"]", as: x, maxConcurrency: 2}}
  - {id: n, type: loop-start, data: {title: A, iterations: 2, loopVariable: k}}
  - {id: b, type: text, data: {title: B, content: "\${x}\${k}"}}
  - {id: acc, type: accumulator, data: {title: V, variableName: all}}
  - {id: ne, type: loop-end, data: {title: E}}
  - {id: oe, type: loop-end, data: {title: E}}
  - {id: z, type: text, data: {title: B, content: "\${all}"}}
edges: [o -> n -> b -> acc -> ne -> oe -> z]
`,
      stdout: "a1\na2\nb1\nb2\n",
    },
  ],
  [
    "loops in series",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[1,2]"}}
  - {id: b, type: text, data: {title: A, content: "\${item}\${i}"}}
  - {id: oe, type: loop-end, data: {title: A}}
  - {id: o2, type: loop-start, data: {title: A, items: "\${1}"}}
  - {id: b2, type: text, data: {title: A, content: "x\${item}"}}
  - {id: oe2, type: loop-end, data: {title: A}}
edges: [o -> b -> oe -> o2 -> b2 -> oe2]
`,
      stdout: '["x11","x22"]\n',
    },
  ],
  [
    "an IF in a loop is asked anew in every pass",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[1,2,3]"}}
  - {id: c, type: if, data: {title: A, content: "item = 2"}}
  - {id: b, type: text, data: {title: A, content: "two \${1}"}}
  - {id: d, type: text, data: {title: A, content: "other"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> c, "c:true -> b -> oe", "c:false -> d -> oe"]
`,
      stdout: '["other","two 2","other"]\n',
    },
  ],
  [
    "a pass without a value",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[1,2,3]"}}
  - {id: c, type: if, data: {title: A, content: "item = 2"}}
  - {id: b, type: text, data: {title: A, content: "two \${1}"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> c, "c:true -> b -> oe"]
`,
      stdout: '["","two 2",""]\n',
    },
  ],
  [
    "an edge into the body from outside",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: "out"}}
  - {id: o, type: loop-start, data: {title: A, items: "[1,2]"}}
  - {id: b, type: text, data: {title: A, content: "\${1} \${2}"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> b -> oe, p -> b]
`,
      stdout: '["1 out","2 out"]\n',
    },
  ],
  [
    "only the loop end leads out",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[1,2]"}}
  - {id: b, type: text, data: {title: A, content: "\${1}"}}
  - {id: oe, type: loop-end, data: {title: A}}
  - {id: p, type: text, data: {title: P, content: "out"}}
edges: [o -> b -> oe, b -> p]
`,
      exit: 2,
      says: ['8:23 error[edge-leaves-loop]: Edge "b -> p" leads out of loop "o"; only its end leads out.'],
    },
  ],
  [
    "a loop needs an end",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[1,2]"}}
  - {id: b, type: text, data: {title: A, content: "\${1}"}}
edges: [o -> b]
`,
      exit: 2,
      says: ['4:10 error[loop-without-end]: Loop "o" has no end.'],
    },
  ],
  [
    "a loop end needs a loop",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: b, type: text, data: {title: A, content: "x"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [b -> oe]
`,
      exit: 2,
      says: ['5:10 error[end-without-start]: No loop leads to the loop end "oe".'],
    },
  ],
  [
    "the counter exists inside the loop",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: b, type: text, data: {title: A, content: "\${i}"}}
  - {id: c, type: cli, data: {title: A, content: "echo \${item}"}}
`,
      exit: 2,
      says: [
        "4:52 error[unknown-name]: ${i} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name.",
        "5:56 warning[unknown-name-in-shell]: ${item} is left to the shell, but nothing sets it.",
      ],
    },
  ],
  [
    "a failure in a pass names the pass",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, iterations: 3}}
  - {id: b, type: cli, data: {title: Bee, content: "echo no >&2; exit \${i}"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> b -> oe]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "b[0]" failed: The command exited with code 1.'],
    },
  ],
  [
    "a loop without a body",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, iterations: 3}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> oe]
`,
      stdout: "3\n",
    },
  ],
  [
    "a loop over items without a body",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, items: "[\\"a\\",2,{}]"}}
  - {id: oe, type: loop-end, data: {title: A}}
edges: [o -> oe]
`,
      stdout: '["a",2,{}]\n',
    },
  ],
  [
    "a tolerated failure in a pass",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, items: "[1,2,3]"}}
  - {id: b, type: cli, data: {title: B, content: "echo \${item}; exit \${item}", continueOnError: true}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> b -> e]
`,
      stdout: "[1,2,3]\n",
    },
  ],
  [
    "an error branch in a pass",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, items: "[0,1]"}}
  - {id: b, type: cli, data: {title: B, content: "echo ok\${item}; exit \${item}"}}
  - {id: h, type: text, data: {title: B, content: "handled \${1.exitCode}"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> b -> e, "b:error -> h -> e"]
`,
      stdout: '["ok0","handled 1"]\n',
    },
  ],
  [
    "fields of a loop",
    {
      verb: "validate",
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 2, maxConcurrency: 0, maxIterations: 0, loopVariable: "a b", as: "1x", items: "[1]"}}, {id: e, type: loop-end, data: {title: E}}]
edges: [l -> e]
`,
      exit: 2,
      says: [
        '3:83 error[out-of-range]: "maxConcurrency" must be 1 or more, not 0.',
        '3:101 error[out-of-range]: "maxIterations" must be 1 or more, not 0.',
      ],
    },
  ],
  [
    "output names no node in a loop",
    {
      workflow: `
output: b
nodes:
  - {id: l, type: loop-start, data: {title: L, iterations: 2}}
  - {id: b, type: cli, data: {title: A, content: "echo \${i}"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> b -> e]
`,
      exit: 2,
      says: ['3:9 error[output-in-loop]: "output" names "b", which has one value in each pass of a loop.'],
    },
  ],
  [
    "a loop within a branch within a loop",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: L, items: "[1,2,3,4]"}}
  - {id: c, type: if, data: {title: C, content: "item % 2 = 0"}}
  - {id: n, type: loop-start, data: {title: N, iterations: "\${item}", loopVariable: j}}
  - {id: b, type: text, data: {title: B, content: "\${item}.\${j}"}}
  - {id: ne, type: loop-end, data: {title: NE}}
  - {id: o, type: text, data: {title: O, content: "odd \${item}"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> c, "c:true -> n", n -> b -> ne -> e, "c:false -> o -> e"]
`,
      stdout: '["odd 1",2.2,"odd 3",4.4]\n',
    },
  ],
  [
    "iterations from a parent, and an edge from outside into the body",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: "3"}}
  - {id: l, type: loop-start, data: {title: L, iterations: "\${1}"}}
  - {id: b, type: text, data: {title: B, content: "\${i}:\${2}"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [p -> l -> b -> e, p -> b]
`,
      stdout: "3:3\n",
    },
  ],
]);
