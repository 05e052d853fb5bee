// document: rules of the document as a whole, its edges, defaults and inputs, and what stands on stdout (spec 1.1, 2.2, 2.7).

import { rules } from "./rules.ts";

rules([
  [
    "the result is the value and one line break",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "printf 'x\\\\n\\\\n'"}}]
`,
      stdout: "x\n\n",
    },
  ],
  [
    "an empty value is an empty line",
    {
      workflow: `
nodes: [{id: a, type: cli, data: {title: A, content: "true"}}]
`,
      stdout: "\n",
    },
  ],
  [
    "a workflow without nodes runs, says so, and results in an empty object",
    {
      workflow: `
nodes: []
`,
      stdout: "{}\n",
      says: ["3:1 warning[no-nodes]: This workflow has no nodes: a run does nothing."],
    },
  ],
  [
    "nodes are required",
    {
      workflow: `
description: x
`,
      exit: 2,
      says: ['1:1 error[missing-field]: The document has no "nodes"; it is required.'],
    },
  ],
  [
    "several last nodes make an object; declared JSON stands as JSON, a failed one is left out",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo 1"}}
  - {id: b, type: cli, data: {title: A, content: "echo '[1,2]'", output: {format: json}}}
  - {id: c, type: cli, data: {title: A, content: "echo '{\\"a\\":1}'"}}
  - {id: d, type: cli, data: {title: A, content: "exit 3", continueOnError: true}}
`,
      stdout: '{"a":"1","b":[1,2],"c":"{\\"a\\":1}"}\n',
    },
  ],
  [
    "declared JSON stands in the object without the blanks around it",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf ' {\\"a\\": 1}\\\\n\\\\n'", output: {format: json}}}
  - {id: b, type: cli, data: {title: A, content: "echo b"}}
`,
      stdout: '{"a":{"a": 1},"b":"b"}\n',
    },
  ],
  [
    "bytes go from node to node as they are",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf 'a\\\\377b\\\\000c\\\\n'"}}
  - {id: b, type: cli, data: {title: A, content: "cat | od -An -tx1", stdin: {source: parent-index, parentIndex: 0}}}
edges: [a -> b]
`,
      stdout: " 61 ff 62 00 63\n",
    },
  ],
  [
    "bytes that are no UTF-8 stand on stdout as they are",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf 'a\\\\377b\\\\000c\\\\n'"}}
`,
      bytes: [97, 255, 98, 0, 99, 10],
    },
  ],
  [
    "a Windows line break is one line break",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf 'a\\\\r\\\\n'"}}
  - {id: b, type: cli, data: {title: A, content: "printf %s \${1} | od -An -tx1"}}
edges: [a -> b]
`,
      stdout: " 61\n",
    },
  ],
  [
    "a skipped last node has an empty value",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi"}}
  - {id: c, type: if, data: {title: C, content: "\${1} == no"}}
  - {id: b, type: cli, data: {title: A, content: "echo yes"}}
edges: [a -> c, "c:true -> b"]
`,
      stdout: "\n",
    },
  ],
  [
    "output names the node whose value is the result",
    {
      workflow: `
output: a
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi"}}
  - {id: b, type: cli, data: {title: A, content: "echo yes"}}
edges: [a -> b]
`,
      stdout: "hi\n",
    },
  ],
  [
    "a skipped output node has an empty value",
    {
      workflow: `
output: b
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi"}}
  - {id: c, type: if, data: {title: C, content: "\${1} == no"}}
  - {id: b, type: cli, data: {title: A, content: "echo yes"}}
  - {id: d, type: cli, data: {title: A, content: "echo no"}}
edges: [a -> c, "c:true -> b", "c:false -> d"]
`,
      stdout: "\n",
    },
  ],
  [
    "of several last nodes the skipped ones are left out",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi"}}
  - {id: c, type: if, data: {title: C, content: "\${1} == no"}}
  - {id: b, type: cli, data: {title: A, content: "echo yes"}}
  - {id: d, type: cli, data: {title: A, content: "echo no \${1}"}}
edges: [a -> c, "c:true -> b", "c:false -> d"]
`,
      stdout: '{"d":"no hi"}\n',
    },
  ],
  [
    "output names a node that exists",
    {
      verb: "validate",
      workflow: `
output: zz
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi"}}
`,
      exit: 2,
      says: ['3:9 error[output-missing-node]: "output" names "zz"; no node has that id.'],
    },
  ],
  [
    "a failed node: exit code 1 and nothing on stdout",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo out; echo err >&2; exit 3"}}
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 3.'],
    },
  ],
  [
    "exit codes of curl are explained",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "curl -fsSm 9 http://127.0.0.1:1/"}}
`,
      exit: 1,
      says: [
        'error[curl-connect]: Node "a" failed: The connection to 127.0.0.1 port 1 failed: it was refused, or the host could not be reached (curl exit code 7).',
      ],
    },
  ],
  [
    "a program that is missing is named",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "nosuchprog --x"}}
`,
      exit: 1,
      says: ['error[command-not-found]: Node "a" failed: No program called "nosuchprog" is on PATH.'],
    },
  ],
  [
    "chains with handles, the long form, and both together",
    {
      workflow: `
nodes:
  - {id: a, type: text, data: {title: A, content: "1"}}
  - {id: b, type: text, data: {title: A, content: "\${1}2"}}
  - {id: c, type: if, data: {title: A, content: "\${1} == 12"}}
  - {id: d, type: text, data: {title: A, content: "\${1}3"}}
  - {id: e, type: text, data: {title: A, content: "\${1}no"}}
  - {id: f, type: text, data: {title: A, content: "\${1}|\${2}"}}
edges:
  - a -> b -> c:true -> d -> f
  - { source: c, target: e, sourceHandle: "false" }
  - {source: e, target: f, id: x1}
`,
      stdout: "123|\n",
    },
  ],
  [
    "blanks around an arrow are not needed",
    {
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "1"}},{id: b, type: text, data: {title: A, content: "\${1}2"}}]
edges:
  - a->b
`,
      stdout: "12\n",
    },
  ],
  [
    "targetHandle is accepted",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "1"}},{id: b, type: text, data: {title: A, content: "\${1}2"}}]
edges:
  - {source: a, target: b, targetHandle: in}
`,
      stdout: "t.flow.yaml: valid\n",
    },
  ],
  [
    "every bad edge is told",
    {
      verb: "validate",
      workflow: `
nodes: [{id: fetch, type: text, data: {title: A, content: "1"}},{id: b, type: text, data: {title: A, content: "\${1}2"}}]
edges: [fetsh -> b, b, "b ->", "-> b", "b -> b", "b:foo -> fetch", "fetch -> b:true", {source: b}, {sorce: b, target: fetch}, 3]
`,
      exit: 2,
      says: [
        '4:9 error[edge-from-missing-node]: Edge "fetsh -> b" comes from "fetsh"; no node has that id. Did you mean "fetch"?',
        '4:21 error[edge-syntax]: The edge "b" names only one node; an edge leads from one to another.',
        '4:29 error[edge-syntax]: The edge "b ->" cannot be read.',
        '4:33 error[edge-syntax]: The edge "-> b" cannot be read.',
        '4:41 error[edge-to-itself]: "b" leads to itself.',
        '4:51 error[unknown-handle]: "b" has no handle "foo".',
        '4:78 error[edge-handle-at-end]: "b:true" ends the chain, but a handle says by which exit an edge leaves a node.',
        '4:87 error[missing-field]: Edge 8 has no "target"; it is required.',
        '4:101 error[unknown-field]: Edge 9 has no field "sorce". Did you mean "source"?',
        "4:127 error[wrong-type]: Edge 10 must be a chain like a -> b, or a map with source and target, not the number 3.",
      ],
    },
  ],
  [
    "an edge stands once",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "1"}},{id: b, type: text, data: {title: A, content: "\${1}2"}}]
edges: [a -> b, a -> b]
`,
      exit: 2,
      says: ['4:17 error[duplicate-edge]: Edge "a -> b" stands twice; the first is on line 4.'],
    },
  ],
  [
    "nodes that wait for each other",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "1"}},{id: b, type: text, data: {title: A, content: "\${1}2"}}]
edges: [a -> b, b -> a]
`,
      exit: 2,
      says: ["4:17 error[cycle]: These nodes wait for each other: a -> b -> a."],
    },
  ],
  [
    "ids, types and titles",
    {
      verb: "validate",
      workflow: `
nodes: [{id: 1a, type: text, data: {title: A, content: "1"}},{id: a, type: txt, data: {title: A, content: "\${1}2"}}, {id: a, type: text, data: {content: x}}, {id: a b, type: text, data: {title: "", content: x}},{type: text, data: {title: x, content: y}}, {id: q, data: {title: x}}, {id: q2, type: text}]
`,
      exit: 2,
      says: [
        '3:14 error[bad-node-id]: "1a" is not an id.',
        '3:76 error[unknown-node-type]: There is no node type "txt". Did you mean "text"?',
        '3:138 error[missing-field]: Node "a" (text) has no "title"; it is required.',
        '3:164 error[bad-node-id]: "a b" is not an id.',
        '3:195 error[empty-value]: "title" is empty.',
        '3:212 error[missing-field]: Node 5 has no "id"; it is required.',
        '3:256 error[missing-field]: Node "q" has no "type"; it is required.',
        '3:283 error[missing-field]: Node "q2" has no "data"; it is required.',
      ],
    },
  ],
  [
    "an id has at most 64 characters",
    {
      verb: "validate",
      workflow: `
nodes: [{id: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: text, data: {title: A, content: "1"}},{id: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab, type: text, data: {title: A, content: "1"}}]
`,
      exit: 2,
      says: [
        '3:129 error[bad-node-id]: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" is longer than 64 characters.',
      ],
    },
  ],
  [
    "a newer format is refused",
    {
      verb: "validate",
      document: "curlew: 2\nname: x\nnodes: []\n",
      exit: 2,
      says: ["1:9 error[format-newer]: This document is of format 2; this Curlew reads format 1."],
    },
  ],
  [
    "the format version is required",
    {
      verb: "validate",
      document: "name: x\nnodes: [{id: a, type: start, data: {title: A}}]\n",
      exit: 2,
      says: ["1:1 error[format-missing]: The document does not say its format version."],
    },
  ],
  [
    "the format version is a number",
    {
      verb: "validate",
      document: 'curlew: "1"\nname: x\nnodes: [{id: a, type: start, data: {title: A}}]\n',
      exit: 2,
      says: ['1:9 error[format-unknown]: "curlew" is the format version, a whole number, not the text "1".'],
    },
  ],
  [
    "an empty file",
    { verb: "validate", document: "", exit: 2, says: ["1:1 error[empty-document]: This file holds no workflow."] },
  ],
  [
    "a file that is no map",
    {
      verb: "validate",
      document: "- 1\n",
      exit: 2,
      says: ["1:1 error[not-a-workflow]: A workflow document is a map of fields; this file holds a list."],
    },
  ],
  [
    "a list that is not closed",
    {
      verb: "validate",
      document: "curlew: 1\nname: [x\n",
      exit: 2,
      says: ["2:7 error[yaml-syntax]: The [ that begins here is not closed with a ]."],
    },
  ],
  [
    "a key stands once",
    {
      verb: "validate",
      document: "curlew: 1\nname: x\nname: y\nnodes: []\n",
      exit: 2,
      says: ['3:1 error[duplicate-key]: "name" stands twice in the same map.'],
    },
  ],
  [
    "tabs do not indent",
    {
      verb: "validate",
      document: "curlew: 1\nname: x\nnodes:\n\t- id: a\n",
      exit: 2,
      says: ["4:1 error[tab-indent]: A tab indents this line; YAML is indented with spaces only."],
    },
  ],
  [
    "keys that begin with x- are kept and mean nothing",
    {
      workflow: `
x-foo: {a: 1}
nodes: [{id: a, type: start, x-me: 2, data: {title: A, x-color: red}}]
edges: []
`,
      stdout: "{}\n",
    },
  ],
  [
    "unknown fields and words, each with what was meant",
    {
      verb: "validate",
      workflow: `
nodez: []
inputs: {a: {typ: string}, b: {type: strng}, c: {type: string, requird: true}}
nodes: [{id: a, type: cli, dta: 1, data: {title: A, contnt: x, content: y, retry: {maxAttempt: 3}, env: {statc: {}}, stdin: {sorce: none}, flags: {pipefai: true}, output: {formt: json}, safetyLevel: save, mode: comand, shell: bsh}}]
`,
      exit: 2,
      says: [
        '3:1 error[unknown-field]: The document has no field "nodez". Did you mean "nodes"?',
        '4:14 error[unknown-field]: "inputs.a" has no field "typ". Did you mean "type"?',
        '4:38 error[value-not-allowed]: "inputs.b.type" cannot be "strng". Did you mean "string"?',
        '4:64 error[unknown-field]: "inputs.c" has no field "requird". Did you mean "required"?',
        '5:28 error[unknown-field]: Node "a" has no field "dta". Did you mean "data"?',
        '5:53 error[unknown-field]: Node "a" (cli) has no field "contnt". Did you mean "content"?',
        '5:84 error[unknown-field]: "retry" has no field "maxAttempt". Did you mean "maxAttempts"?',
        '5:106 error[unknown-field]: "env" has no field "statc". Did you mean "static"?',
        '5:126 error[unknown-field]: "stdin" has no field "sorce". Did you mean "source"?',
        '5:148 error[unknown-field]: "flags" has no field "pipefai". Did you mean "pipefail"?',
        '5:173 error[unknown-field]: "output" has no field "formt". Did you mean "format"?',
        '5:200 error[value-not-allowed]: "safetyLevel" cannot be "save". Did you mean "safe"?',
        '5:212 error[value-not-allowed]: "mode" cannot be "comand". Did you mean "command"?',
        '5:227 error[value-not-allowed]: "shell" cannot be "bsh". Did you mean "bash"?',
      ],
    },
  ],
  [
    "values of the wrong type",
    {
      verb: "validate",
      workflow: `
concurrency: 0
timeout: 30
nodes: [{id: a, type: cli, data: {title: 1, content: 5, needsUserApproval: "yes", timeout: 5, idleTimeout: 5 minutes, killGrace: -1s, successExitCodes: 0, continueOnError: 1, onLost: maybe, retry: {maxAttempts: 0}}}]
`,
      exit: 2,
      says: [
        '3:14 error[out-of-range]: "concurrency" must be 1 or more, not 0.',
        '4:10 error[bad-duration]: "timeout": "30" is a bare number; a duration needs a unit. Write 30s for seconds or 30ms for milliseconds.',
        '5:42 error[wrong-type]: "title" must be text, not the number 1.',
        '5:54 error[wrong-type]: "content" must be text, not the number 5.',
        '5:76 error[wrong-type]: "needsUserApproval" must be true or false, not the text "yes".',
        '5:92 error[bad-duration]: "timeout": "5" is a bare number; a duration needs a unit. Write 5s for seconds or 5ms for milliseconds.',
        '5:108 error[bad-duration]: "idleTimeout": "5 minutes" is not a duration. Did you mean "5m"?',
        '5:130 error[bad-duration]: "killGrace": "-1s" is negative; a duration is not. Write it like 250ms, 30s, 5m, 2h, 1d or PT30S.',
        '5:153 error[wrong-type]: "successExitCodes" must be a list, not the number 0.',
        '5:173 error[wrong-type]: "continueOnError" must be true or false, not the number 1.',
        '5:184 error[value-not-allowed]: "onLost" cannot be "maybe".',
        '5:212 error[out-of-range]: "retry.maxAttempts" must be 1 or more, not 0.',
      ],
    },
  ],
  [
    "defaults are merged under a node's data, maps within maps too",
    {
      workflow: `
defaults: { env: {static: {A: "1", B: "2"}}, retry: {maxAttempts: 2, initialInterval: 10ms}, timeout: 10s }
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo $A $B $C", env: {static: {B: "3", C: "4"}}}}
`,
      stdout: "1 3 4\n",
    },
  ],
  [
    "a default goes to the kinds of nodes that have such a field",
    {
      workflow: `
defaults: { timeout: 10s, shell: sh, cwd: / , streamOutput: false}
nodes:
  - {id: t, type: text, data: {title: A, content: x}}
  - {id: a, type: cli, data: {title: A, content: "pwd; echo \${BASH_VERSION:-none}"}}
edges: [t -> a]
`,
      stdout: "/\nnone\n",
    },
  ],
  [
    "a default that no kind of node has",
    {
      verb: "validate",
      workflow: `
defaults: { timeot: 10s }
nodes:
  - {id: t, type: text, data: {title: A, content: x}}
`,
      exit: 2,
      says: [
        '3:13 error[unknown-field]: No kind of node has a field "timeot", so it cannot be a default. Did you mean "timeout"?',
      ],
    },
  ],
  [
    "the document of the specification",
    {
      verb: "validate",
      document:
        'curlew: 1\nname: Open issues digest\ninputs:\n  repo: { type: string, required: true, pattern: "^[\\\\w.-]+/[\\\\w.-]+$", description: owner/name }\n  pages: { type: integer, default: 3, minimum: 1, maximum: 50 }\nsecrets: [GITHUB_TOKEN]\ndefaults: { timeout: 60s }\nconcurrency: 8\ntimeout: 1h\nnodes:\n  - {id: pages, type: loop-start, data: {title: P, iterations: "${pages}"}}\n  - id: fetch\n    type: cli\n    data:\n      title: Fetch a page\n      content: >-\n        curl --fail-with-body --silent --show-error\n        -H "Authorization: Bearer ${GITHUB_TOKEN}"\n        "https://api.github.com/repos/${repo}/issues?page=${i}"\n      env: { static: { GITHUB_TOKEN: "${GITHUB_TOKEN}" } }\n      retry: { maxAttempts: 4 }\n  - {id: collect, type: accumulator, data: {title: P, variableName: all}}\n  - {id: end, type: loop-end, data: {title: P}}\nedges:\n  - pages -> fetch -> collect -> end\nlayout: { fetch: [240, 80] }\n',
      stdout: "t.flow.yaml: valid (1 warning)\n",
      says: [
        "18:35 warning[secret-on-command-line]: ${GITHUB_TOKEN} is a secret, and every program of this machine can read the command line of curl.",
      ],
    },
  ],
  [
    "layout is pairs of numbers",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: start, data: {title: A}}]
layout: { b: [1,2], a: [1], c: 3 }
`,
      exit: 2,
      says: [
        '4:24 error[wrong-type]: "layout.a" must be a list of two numbers, [x, y], not a list.',
        '4:32 error[wrong-type]: "layout.c" must be a list of two numbers, [x, y], not the number 3.',
      ],
    },
  ],
  [
    "layout of a node that is not there is only a warning",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: a}}]
layout: { a: [1, 2], c: [0.5, -3] }
`,
      stdout: "t.flow.yaml: valid (1 warning)\n",
      says: ['4:22 warning[layout-of-missing-node]: "layout" places "c"; no node has that id. Did you mean "a"?'],
    },
  ],
  [
    "a JSON document is validated",
    {
      verb: "validate",
      document:
        '{"curlew": 1, "name": "J", "nodes": [{"id": "a", "type": "text", "data": {"title": "T", "content": "x"}}]}\n',
      stdout: "t.flow.yaml: valid\n",
    },
  ],
  [
    "a byte order mark is no part of the text",
    {
      document: '\ufeffcurlew: 1\nname: x\nnodes: [{id: a, type: text, data: {title: T, content: "bom"}}]\n',
      stdout: "bom\n",
    },
  ],
  [
    "a document with Windows line ends",
    {
      document: 'curlew: 1\nname: x\nnodes:\n  - id: a\n    type: text\n    data: {title: T, content: "crlf"}\n',
      stdout: "crlf\n",
    },
  ],
  [
    "anchors, aliases and merge keys",
    {
      document:
        'curlew: 1\nname: x\nx-common: &c {title: T, content: "echo al"}\nnodes: [{id: a, type: cli, data: *c}, {id: b, type: cli, data: {<<: *c, title: U}}]\n',
      stdout: '{"a":"al","b":"al"}\n',
    },
  ],
  [
    "an alias inside of itself",
    {
      verb: "validate",
      document: "curlew: 1\nname: x\nx-a: &a [*a]\nnodes: []\n",
      exit: 2,
      says: [
        "3:10 error[too-many-aliases]: YAML aliases (*name) are expanded more than 1000 times, counting aliases inside aliases.",
      ],
    },
  ],
  [
    "one document a file",
    {
      verb: "validate",
      document: "curlew: 1\nname: x\nnodes: []\n---\ncurlew: 1\n",
      exit: 2,
      says: ['4:1 error[multiple-documents]: A second YAML document begins here ("---"); one file holds one workflow.'],
    },
  ],
  [
    "inputs of every type from the command line",
    {
      args: [
        "--input",
        "s=x",
        "--input",
        "n=5",
        "--input",
        "f=1.5",
        "--input",
        "b=true",
        "--input",
        'o={"a":1}',
        "--input",
        "l=[1,2]",
      ],
      workflow: `
inputs: {s: {type: string}, n: {type: integer}, f: {type: number}, b: {type: boolean}, o: {type: object}, l: {type: array}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      stdout: '{"s":"x","n":5,"f":1.5,"b":true,"o":{"a":1},"l":[1,2]}\n',
    },
  ],
  [
    "inputs that do not fit their type",
    {
      args: [
        "--input",
        "s=",
        "--input",
        "n=5.5",
        "--input",
        "f=abc",
        "--input",
        "b=yes",
        "--input",
        "o=[1]",
        "--input",
        "l={}",
      ],
      workflow: `
inputs: {s: {type: string, minLength: 1}, n: {type: integer}, f: {type: number}, b: {type: boolean}, o: {type: object}, l: {type: array}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: [
        'error[bad-input]: Input "s": "" is shorter than 1 character.',
        'error[bad-input]: Input "n": "5.5" is not a whole number.',
        'error[bad-input]: Input "f": "abc" is not a number.',
        'error[bad-input]: Input "b": "yes" is not true or false.',
        'error[bad-input]: Input "o": [1] is not a JSON object.',
        'error[bad-input]: Input "l": {} is not a JSON array.',
      ],
    },
  ],
  [
    "required inputs",
    {
      workflow: `
inputs: {s: {type: string, required: true, description: what it is}, t: {type: integer, required: true}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: [
        'error[missing-input]: Input "s" is required (a text: what it is). Give it with --input s=…',
        'error[missing-input]: Input "t" is required (a whole number). Give it with --input t=…',
      ],
    },
  ],
  [
    "an input that does not exist",
    {
      args: ["--input", "sss=3"],
      workflow: `
inputs: {s: {type: string}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: ['error[unknown-input]: The workflow has no input "sss". Did you mean "s"?'],
    },
  ],
  [
    "an input without a value",
    {
      args: ["--input", "sss"],
      workflow: `
inputs: {s: {type: string}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: ['error[bad-input]: --input "sss" has no value.'],
    },
  ],
  [
    "pattern, enum, maximum and maxLength",
    {
      args: ["--input", "s=3", "--input", "e=z", "--input", "n=51", "--input", "m=abcd"],
      workflow: `
inputs: {s: {type: string, pattern: "^[a-z]+$"}, e: {type: string, enum: [x,y]}, n: {type: integer, minimum: 1, maximum: 50}, m: {type: string, maxLength: 3}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: [
        'error[bad-input]: Input "s": "3" does not match the pattern ^[a-z]+$',
        'error[bad-input]: Input "e": "z" is not one of x and y. Did you mean "x"?',
        'error[bad-input]: Input "n": 51 is more than 50, the most allowed.',
        'error[bad-input]: Input "m": "abcd" is longer than 3 characters.',
      ],
    },
  ],
  [
    "defaults and patterns are checked before any run",
    {
      verb: "validate",
      workflow: `
inputs: {s: {type: integer, default: x}, e: {type: string, enum: [x,y], default: z}, n: {type: integer, minimum: 5, default: 3}, p: {type: string, pattern: "["}, r: {type: integer, required: true, default: 3}, "1x": {type: string}, "a b": {type: string}}
nodes: [{id: a, type: start, data: {title: A}}]
`,
      exit: 2,
      says: [
        '3:38 error[bad-default]: The default of input "s" does not fit: "x" is not a whole number.',
        '3:82 error[bad-default]: The default of input "e" does not fit: "z" is not one of x and y. Did you mean "x"?',
        '3:126 error[bad-default]: The default of input "n" does not fit: 3 is less than 5, the least allowed.',
        '3:157 error[bad-pattern]: The pattern of input "p" cannot be read: Unterminated character class.',
        '3:182 warning[required-with-default]: Input "r" is required and has a default, which is never used.',
        '3:211 error[bad-name]: An input cannot be "1x": it could not be written as ${1x}.',
        '3:233 error[bad-name]: An input cannot be "a b": it could not be written as ${a b}.',
      ],
    },
  ],
  [
    "a value may hold an equals sign",
    {
      args: ["--input", "s=a=b"],
      workflow: `
inputs: {s: {type: string}}
nodes: [{id: a, type: text, data: {title: A, content: "\${s}"}}]
`,
      stdout: "a=b\n",
    },
  ],
  [
    "a start node hands on the run's input as JSON",
    {
      workflow: `
inputs: {n: {type: integer, default: 3}, s: {type: string}}
nodes:
  - {id: a, type: start, data: {title: A}}
`,
      stdout: '{"n":3}\n',
    },
  ],
  [
    "durations",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "true", timeout: 250ms}}
  - {id: b, type: cli, data: {title: A, content: "true", timeout: 1d}}
  - {id: c, type: cli, data: {title: A, content: "true", timeout: PT30S}}
  - {id: d, type: cli, data: {title: A, content: "true", timeout: P1DT2H}}
  - {id: e, type: cli, data: {title: A, content: "true", timeout: "1h30m"}}
  - {id: f, type: cli, data: {title: A, content: "true", timeout: "1.5s"}}
  - {id: g, type: cli, data: {title: A, content: "true", timeout: "30"}}
  - {id: h, type: cli, data: {title: A, content: "true", timeout: "30 s"}}
  - {id: i, type: cli, data: {title: A, content: "true", timeout: "30sec"}}
  - {id: j, type: cli, data: {title: A, content: "true", timeout: "0s"}}
  - {id: k, type: cli, data: {title: A, content: "true", timeout: "-5s"}}
  - {id: l, type: cli, data: {title: A, content: "true", timeout: "P"}}
`,
      exit: 2,
      says: [
        '8:67 error[bad-duration]: "timeout": "1h30m" has several units. Write it in one, like 90m.',
        '10:67 error[bad-duration]: "timeout": "30" is a bare number; a duration needs a unit. Write 30s for seconds or 30ms for milliseconds.',
        '11:67 error[bad-duration]: "timeout": "30 s" is not a duration. Did you mean "30s"?',
        '12:67 error[bad-duration]: "timeout": "30sec" is not a duration. Did you mean "30s"?',
        '13:67 error[zero-duration]: "timeout" is nothing: it would be over before it begins.',
        '14:67 error[bad-duration]: "timeout": "-5s" is negative; a duration is not. Write it like 250ms, 30s, 5m, 2h, 1d or PT30S.',
        '15:67 error[bad-duration]: "timeout": "P" is not a duration. Write it like 250ms, 30s, 5m, 2h, 1d or PT30S.',
      ],
    },
  ],
  [
    "a size with its unit",
    {
      verb: "validate",
      workflow: `
limits: {outputBytes: 64KiB}
nodes: [{id: a, type: cli, data: {title: A, content: "true"}}]
`,
      stdout: "t.flow.yaml: valid\n",
    },
  ],
  [
    "a size without a unit",
    {
      verb: "validate",
      workflow: `
limits: {outputBytes: 100}
nodes: [{id: a, type: cli, data: {title: A, content: "true"}}]
`,
      exit: 2,
      says: [
        '3:23 error[bad-size]: "limits.outputBytes": "100" is a bare number; a size needs a unit. Write 100B for bytes, or KiB, MB and so on.',
      ],
    },
  ],
  [
    "limits.outputBytes ends a runaway",
    {
      workflow: `
limits: {outputBytes: 1KiB}
nodes: [{id: a, type: cli, data: {title: A, content: "yes"}}]
`,
      exit: 1,
      says: [
        'error[output-limit]: Node "a" failed: The command was stopped because it printed more than 1,024 bytes, the limit; what came before is kept.',
      ],
    },
  ],
]);
