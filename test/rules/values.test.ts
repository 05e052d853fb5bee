// values: rules of Variables, Accumulators, IF (spec 1.2).

import { rules } from "./rules.ts";

rules([
  [
    "IF by an expression over its first parent",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "echo '{\\"status\\":\\"open\\"}'"}},{id: c, type: if, data: {title: C, content: 'inputs[0].status = "open"'}}, {id: y, type: text, data: {title: Y, content: "Y \${1}"}}, {id: n, type: text, data: {title: N, content: "N"}}]
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y {\\"status\\":\\"open\\"}"}\n',
    },
  ],
  [
    "IF, and a merge after it",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo '{\\"status\\":\\"closed\\"}'"}}
  - {id: c, type: if, data: {title: C, content: 'inputs[0].status = "open"'}}
  - {id: y, type: text, data: {title: Y, content: "yes"}}
  - {id: n, type: text, data: {title: N, content: "no: \${1}"}}
  - {id: m, type: text, data: {title: M, content: "[\${1}][\${2}]"}}
edges: [a -> c, "c:true -> y -> m", "c:false -> n -> m"]
`,
      stdout: '[][no: {"status":"closed"}]\n',
    },
  ],
  [
    "skipped parents keep their index with an empty value",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "echo open"}},{id: c, type: if, data: {title: C, content: '"\${1}" != done'}}, {id: y, type: text, data: {title: Y, content: "Y"}}, {id: n, type: text, data: {title: N, content: "N"}}, {id: m, type: text, data: {title: M, content: "[\${1}][\${2}]"}}]
edges: [a -> c, "c:true -> n", "c:false -> y", y -> m, n -> m]
`,
      stdout: "[][N]\n",
    },
  ],
  [
    "an IF without content asks whether its parent succeeded",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "echo o; exit 3"}},{id: c, type: if, data: {title: C}}, {id: y, type: text, data: {title: Y, content: "Y"}}, {id: n, type: text, data: {title: N, content: "N \${1}"}}]
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"n":"N o"}\n',
    },
  ],
  [
    "an empty content is no content",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "echo o"}},{id: c, type: if, data: {title: C, content: ""}}, {id: y, type: text, data: {title: Y, content: "Y \${1}"}}, {id: n, type: text, data: {title: N, content: "N \${1}"}}]
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y o"}\n',
    },
  ],
  [
    "exitCode of the first parent",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "echo o; exit 3", continueOnError: true}},{id: c, type: if, data: {title: C, content: "exitCode = 3"}}, {id: y, type: text, data: {title: Y, content: "Y \${1}"}}, {id: n, type: text, data: {title: N, content: "N \${1}"}}]
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y o"}\n',
    },
  ],
  [
    "an IF with nothing to ask",
    {
      verb: "validate",
      workflow: `
nodes: [{id: c, type: if, data: {title: C}},{id: y, type: text, data: {title: Y, content: "Y \${1}"}}]
edges: ["c:true -> y"]
`,
      exit: 2,
      says: [
        '3:14 error[if-without-question]: The if node "c" has no "content" and no parent whose success it could ask for.',
      ],
    },
  ],
  [
    "an IF without parents hands on nothing",
    {
      workflow: `
nodes: [{id: c, type: if, data: {title: C, content: "1=1"}},{id: y, type: text, data: {title: Y, content: "Y [\${1}]"}}]
edges: ["c:true -> y"]
`,
      stdout: "Y []\n",
    },
  ],
  [
    "both branches may lead to one node",
    {
      workflow: `
nodes: [{id: c, type: if, data: {title: C, content: "1=1"}},{id: y, type: text, data: {title: Y, content: "Y"}}]
edges: ["c:true -> y", "c:false -> y"]
`,
      stdout: "Y\n",
    },
  ],
  [
    "text comparisons",
    {
      workflow: `
inputs: {a: {type: string, default: "x y"}}
nodes: [{id: c, type: if, data: {title: C, content: "\${a} == x y"}},{id: c2, type: if, data: {title: C, content: "x == \${a}"}},{id: c3, type: if, data: {title: C, content: "\${a} !="}},{id: c4, type: if, data: {title: C, content: "'\${a}' == \\"x y\\""}},{id: y, type: text, data: {title: Y, content: "Y"}},{id: y2, type: text, data: {title: Y, content: "Y"}},{id: y3, type: text, data: {title: Y, content: "Y"}},{id: y4, type: text, data: {title: Y, content: "Y"}}]
edges: ["c:true -> y", "c2:true -> y2", "c3:true->y3", "c4:true->y4"]
`,
      stdout: '{"y":"Y","y3":"Y","y4":"Y"}\n',
    },
  ],
  [
    "a condition that fails is no answer",
    {
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "x"}}, {id: c, type: if, data: {title: C, content: "inputs[0] < 3"}},{id: y, type: text, data: {title: Y, content: "Y [\${1}]"}}]
edges: [a -> c, "c:true -> y"]
`,
      exit: 1,
      says: [
        'error[expression-failed]: Node "c" failed: The expression "inputs[0] < 3" failed: The values "x" and 3 either side of operator "<" must be of the same data type.',
      ],
    },
  ],
  [
    "an empty object is false",
    {
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "{}"}}, {id: c, type: if, data: {title: C, content: "inputs[0]"}},{id: y, type: text, data: {title: Y, content: "Y [\${1}]"}},{id: n, type: text, data: {title: Y, content: "N [\${1}]"}}]
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"n":"N [{}]"}\n',
    },
  ],
  [
    "vars and run in a condition",
    {
      workflow: `
inputs: {x: {type: integer, default: 4}}
nodes: [{id: v, type: variable, data: {title: V, variableName: myv, initialValue: '{"k":[1,2]}'}}, {id: c, type: if, data: {title: C, content: "vars.myv.k[1] = 2 and vars.x = 4 and run.inputs.x = 4 and run.name = 'T'"}},{id: y, type: text, data: {title: Y, content: "Y"}}]
edges: ["c:true -> y"]
`,
      stdout: "Y\n",
    },
  ],
  [
    "an IF after an IF; what comes behind an untaken branch is skipped",
    {
      workflow: `
nodes:
  - {id: c1, type: if, data: {title: C, content: "1 = 1"}}
  - {id: c2, type: if, data: {title: C, content: "1 = 2"}}
  - {id: y, type: text, data: {title: Y, content: "reached"}}
  - {id: z, type: text, data: {title: Z, content: "after"}}
edges: ["c1:true -> c2", "c2:true -> y -> z"]
`,
      stdout: "\n",
    },
  ],
  [
    "what a Variable's value is",
    {
      workflow: `
nodes: 
  - {id: a, type: text, data: {title: A, content: "Aval"}}
  - {id: v1, type: variable, data: {title: V, variableName: v1, initialValue: "init", content: "content \${1}"}}
  - {id: v2, type: variable, data: {title: V, variableName: v2, initialValue: "init"}}
  - {id: v3, type: variable, data: {title: V, variableName: v3, initialValue: "init"}}
  - {id: v4, type: variable, data: {title: V, variableName: v4, content: "c"}}
  - {id: z, type: text, data: {title: V, content: "\${v1} \${v2} \${v3} \${v4}"}}
edges: [a -> v1, a -> v2]
`,
      stdout: "content Aval Aval init c\n",
    },
  ],
  [
    "names of Variables",
    {
      verb: "validate",
      workflow: `
nodes: 
  - {id: v4, type: variable, data: {title: V, variableName: v4, content: x}}
  - {id: v5, type: variable, data: {title: V, variableName: v4, content: x}}
  - {id: v6, type: variable, data: {title: V, variableName: "a b", content: x}}
  - {id: v7, type: variable, data: {title: V, variableName: "1", content: x}}
  - {id: v8, type: variable, data: {title: V, content: x}}
`,
      exit: 2,
      says: [
        '5:61 error[duplicate-variable]: The name "v4" is already given by node "v4" on line 4.',
        '6:61 error[bad-name]: "variableName" cannot be "a b": it could not be written as ${a b}.',
        '7:61 error[bad-name]: "variableName" cannot be "1": it could not be written as ${1}.',
        '8:30 error[missing-field]: Node "v8" (variable) has no "variableName"; it is required.',
      ],
    },
  ],
  [
    "naming a Variable waits for it",
    {
      workflow: `
nodes: 
  - {id: z, type: cli, data: {title: V, content: "echo got \${token}"}}
  - {id: a, type: cli, data: {title: A, content: "sleep 0.3; echo tok"}}
  - {id: v, type: variable, data: {title: V, variableName: token}}
edges: [a -> v]
`,
      stdout: "got tok\n",
    },
  ],
  [
    "naming a Variable that waits for the one who names it",
    {
      verb: "validate",
      workflow: `
nodes: 
  - {id: z, type: cli, data: {title: V, content: "echo got \${token}"}}
  - {id: v, type: variable, data: {title: V, variableName: token}}
edges: [z -> v]
`,
      exit: 2,
      says: ["4:10 error[cycle]: These nodes wait for each other: z -> v -> z."],
    },
  ],
  [
    "a skipped Variable is empty",
    {
      workflow: `
nodes: 
  - {id: c, type: if, data: {title: C, content: "1=2"}}
  - {id: v, type: variable, data: {title: V, variableName: token, content: "x"}}
  - {id: z, type: cli, data: {title: V, content: "echo got \${token}."}}
edges: [c:true -> v]
`,
      stdout: "got .\n",
    },
  ],
  [
    "a Variable hides an input of its name",
    {
      workflow: `
inputs: {n: {type: string, default: input}}
nodes: 
  - {id: v, type: variable, data: {title: A, variableName: n, initialValue: variable}}
  - {id: a, type: text, data: {title: A, content: "\${n}"}}
`,
      stdout: "variable\n",
      says: ['5:60 warning[variable-like-input]: "n" is also an input of the workflow; ${n} means this node\'s value.'],
    },
  ],
  [
    "a loop variable hides env.static, which hides an input",
    {
      workflow: `
inputs: {n: {type: string, default: input}, GREETING: {type: string, default: gin}}
nodes: 
  - {id: a, type: cli, data: {title: A, content: "echo \${n} $n \${GREETING}", env: {static: {n: "static \${n}"}}}}
  - {id: l, type: loop-start, data: {title: A, items: "[\\"loop\\"]", as: n}}
  - {id: b, type: cli, data: {title: A, content: "echo \${n} $n", env: {static: {n: "static \${n}"}}}}
  - {id: e, type: loop-end, data: {title: A}}
edges: [l -> b -> e]
`,
      stdout: '{"a":"static input static input gin","e":["loop static loop"]}\n',
    },
  ],
  [
    "what Accumulators make of their parents",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "sleep 0.3; echo '[1,2]'"}}
  - {id: b, type: cli, data: {title: A, content: "echo x"}}
  - {id: l, type: accumulator, data: {title: A, variableName: l}}
  - {id: j, type: accumulator, data: {title: A, variableName: j, format: json}}
  - {id: f, type: accumulator, data: {title: A, variableName: f, format: json, flatten: true}}
  - {id: i, type: accumulator, data: {title: A, variableName: i, initialValue: "start"}}
  - {id: ij, type: accumulator, data: {title: A, variableName: ij, initialValue: '["s"]', format: json}}
  - {id: ij2, type: accumulator, data: {title: A, variableName: ij2, initialValue: 's', format: json}}
  - {id: c, type: accumulator, data: {title: A, variableName: c, content: "<\${1}|\${2}>"}}
  - {id: none, type: accumulator, data: {title: A, variableName: none}}
  - {id: nonej, type: accumulator, data: {title: A, variableName: nonej, format: json}}
edges: [a -> l, b -> l, a -> j, b -> j, a->f, b->f, a->i, a->ij, a->ij2, a->c, b->c]
`,
      stdout:
        '{"l":"[1,2]\\nx","j":[[1,2],"x"],"f":[1,2,"x"],"i":"start\\n[1,2]","ij":["s",[1,2]],"ij2":["s",[1,2]],"c":"<[1,2]|x>","none":"","nonej":[]}\n',
    },
  ],
  [
    "a skipped parent adds nothing",
    {
      workflow: `
nodes:
  - {id: c, type: if, data: {title: C, content: "1=2"}}
  - {id: a, type: text, data: {title: A, content: "a"}}
  - {id: b, type: cli, data: {title: A, content: "echo x"}}
  - {id: l, type: accumulator, data: {title: A, variableName: l}}
  - {id: j, type: accumulator, data: {title: A, variableName: j, format: json}}
edges: [c:true -> a -> l, b -> l, a -> j, b -> j]
`,
      stdout: '{"l":"x","j":["x"]}\n',
    },
  ],
  [
    "flatten appends arrays element by element, pass by pass",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3}}, {id: b, type: cli, data: {title: A, content: "echo '[\${i}]'"}}, {id: acc, type: accumulator, data: {title: A, variableName: all, format: json, flatten: true}}, {id: e, type: loop-end, data: {title: A}}, {id: z, type: text, data: {title: Z, content: "\${all} \${all[1]} \${1}"}}]
edges: [l -> b -> acc -> e -> z]
`,
      stdout: "[1,2,3] 2 [1,2,3]\n",
    },
  ],
  [
    "initialValue comes first",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3}}, {id: acc, type: accumulator, data: {title: A, variableName: all, initialValue: "s", content: "\${i}"}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> acc -> e]
`,
      stdout: "s\n1\n2\n3\n",
    },
  ],
  [
    "an IF in a loop decides what is collected",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3}}, {id: c, type: if, data: {title: C, content: "i != 2"}}, {id: acc, type: accumulator, data: {title: A, variableName: all, content: "\${i}"}}, {id: e, type: loop-end, data: {title: A}}, {id: z, type: text, data: {title: Z, content: "\${all}|\${1}"}}]
edges: [l -> c, "c:true -> acc -> e", "c:false -> e", e -> z]
`,
      stdout: "1\n3|1\n3\n",
    },
  ],
  [
    "without a pass there is the initial value",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 0}}, {id: acc, type: accumulator, data: {title: A, variableName: all, initialValue: "s", content: "\${i}"}}, {id: e, type: loop-end, data: {title: A}}, {id: z, type: text, data: {title: Z, content: "\${all}|\${1}"}}]
edges: [l -> acc -> e -> z]
`,
      stdout: "s|\n",
    },
  ],
  [
    "in the loop an Accumulator's name means what was collected before",
    {
      workflow: `
nodes: [{id: l, type: loop-start, data: {title: A, iterations: 3}}, {id: b, type: cli, data: {title: B, content: "echo \\"\${i}(\${all})\\""}}, {id: acc, type: accumulator, data: {title: A, variableName: all}}, {id: e, type: loop-end, data: {title: A}}]
edges: [l -> b -> acc -> e]
`,
      stdout: "1()\n2(1())\n3(1()\n2(1()))\n",
    },
  ],
  [
    "an Accumulator straight after the loop start",
    {
      workflow: `
nodes:
  - {id: o, type: loop-start, data: {title: A, iterations: 3}}
  - {id: acc, type: accumulator, data: {title: V, variableName: all, format: json}}
  - {id: oe, type: loop-end, data: {title: E}}
edges: [o -> acc -> oe]
`,
      stdout: "[1,2,3]\n",
    },
  ],
  [
    "a Variable carries a value from pass to pass",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, iterations: 3}}
  - {id: b, type: text, data: {title: B, content: "\${cursor}+"}}
  - {id: v, type: variable, data: {title: V, variableName: cursor, initialValue: "s"}}
  - {id: e, type: loop-end, data: {title: E}}
  - {id: z, type: text, data: {title: Z, content: "\${1} \${cursor}"}}
edges: [l -> b -> v -> e -> z]
`,
      stdout: "s+++ s+++\n",
    },
  ],
  [
    "passes that hand on a value run one after the other",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: A, iterations: 3, maxConcurrency: 3}}
  - {id: b, type: text, data: {title: B, content: "\${cursor}+"}}
  - {id: v, type: variable, data: {title: V, variableName: cursor, initialValue: "s"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> b -> v -> e]
`,
      stdout: "s+++\n",
    },
  ],
  [
    "initialValue may name an environment variable",
    {
      workflow: `
nodes:
  - {id: v, type: variable, data: {title: A, variableName: key, initialValue: "\${GREETING}"}}
  - {id: a, type: cli, data: {title: A, content: "echo $KEY", env: {static: {KEY: "\${key}"}}}}
`,
      stdout: "hello-env\n",
    },
  ],
  [
    "an Accumulator after parallel calls, in parent order",
    {
      workflow: `
nodes:
  - {id: p, type: start, data: {title: Go}}
  - {id: a, type: cli, data: {title: A, content: "sleep 0.3; echo slow"}}
  - {id: b, type: cli, data: {title: B, content: "echo fast"}}
  - {id: c, type: accumulator, data: {title: C, variableName: both}}
  - {id: z, type: cli, data: {title: Z, content: "cat; echo; echo \${both}", stdin: {source: parent-index, parentIndex: 0}}}
edges: [p -> a -> c, p -> b -> c, c -> z]
`,
      stdout: "slow\nfast\nslow\nfast\n",
    },
  ],
  [
    "what is not known of the parent is nothing",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x"}}
  - {id: c, type: if, data: {title: C, content: "status = 404"}}
  - {id: y, type: text, data: {title: Y, content: "y"}}
  - {id: n, type: text, data: {title: N, content: "n"}}
edges: [a -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"n":"n"}\n',
    },
  ],
  [
    "a predicate over a list",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo '{\\"items\\":[{\\"p\\":1},{\\"p\\":5}]}'"}}
  - {id: c, type: if, data: {title: C, content: "$count(inputs[0].items[p > 3]) > 0"}}
  - {id: y, type: text, data: {title: Y, content: "y"}}
edges: [a -> c, "c:true -> y"]
`,
      stdout: "y\n",
    },
  ],
]);
