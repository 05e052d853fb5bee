// cli: rules of the CLI node (spec 1.2).

import { rules } from "./rules.ts";

rules([
  [
    "every source of stdin",
    {
      workflow: `
nodes: 
  - {id: p, type: cli, data: {title: A, content: "printf 'x\\\\ny\\\\n'"}}
  - {id: q, type: cli, data: {title: A, content: "printf 'z'"}}
  - {id: a, type: cli, data: {title: A, content: "cat; echo _\${1}_", stdin: {source: parent-index, parentIndex: 0}}}
  - {id: b, type: cli, data: {title: A, content: "cat; echo _\${2}_", stdin: {source: parent-index, parentIndex: 1}}}
  - {id: c, type: cli, data: {title: A, content: "cat; echo _", stdin: {source: parents-all}}}
  - {id: d, type: cli, data: {title: A, content: "cat; echo _", stdin: {source: literal, literal: "lit \${1} $\${x} \${GREETING}"}}}
  - {id: e, type: cli, data: {title: A, content: "cat; echo _", stdin: {source: none}}}
  - {id: f, type: cli, data: {title: A, content: "cat; echo _"}}
  - {id: g, type: cli, data: {title: A, content: "cat; echo _", stdin: {source: parent-index}}}
edges: [p -> a, q -> a, p -> b, q -> b, p -> c, q -> c, p -> d, p -> e, p -> f, p -> g]
`,
      stdout:
        '{"a":"x\\ny_x\\ny_","b":"z_z_","c":"x\\ny\\nz_","d":"lit x\\ny ${x} hello-env_","e":"_","f":"_","g":"x\\ny_"}\n',
    },
  ],
  [
    "parents that are not there",
    {
      verb: "validate",
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: "x"}},{id: c, type: cli, data: {title: A, content: "echo \${2} \${0}", stdin: {source: parent-index, parentIndex: 1}}},{id: d, type: text, data: {title: A, content: "echo \${2}"}},{id: e, type: cli, data: {title: A, content: "cat", stdin: {source: parent-index}}},{id: f, type: cli, data: {title: A, content: "cat", stdin: {source: parents-all}}},{id: g, type: cli, data: {title: A, content: "cat", stdin: {source: literal}}}]
edges: [p -> c, p -> d]
`,
      exit: 2,
      says: [
        "3:112 error[parent-out-of-range]: ${2} is the value of parent 2, but this node has one parent: p.",
        '3:167 error[parent-index-out-of-range]: "parentIndex" is 1, but this node has one parent: p.',
        "3:224 error[parent-out-of-range]: ${2} is the value of parent 2, but this node has one parent: p.",
        '3:300 error[parent-index-out-of-range]: "parentIndex" is 0, but no edge leads to this node.',
        '3:451 error[stdin-mismatch]: "stdin.source" is literal, but "stdin.literal" is missing.',
      ],
    },
  ],
  [
    "skipped parents keep their place",
    {
      workflow: `
nodes:
  - {id: c, type: if, data: {title: C, content: "1=2"}}
  - {id: a, type: text, data: {title: A, content: "a"}}
  - {id: b, type: cli, data: {title: A, content: "echo x"}}
  - {id: l, type: cli, data: {title: A, content: "cat; echo \\"<\${1}\${2}>\\"", stdin: {source: parents-all}}}
  - {id: m, type: cli, data: {title: A, content: "cat; echo \\"<\${1}\${2}>$INPUT_1,$INPUT_2\\"", stdin: {source: parent-index, parentIndex: 0}, env: {exposeParents: true}}}
edges: [c:true -> a -> l, b -> l, a -> m, b -> m]
`,
      stdout: '{"l":"\\nx<x>","m":"<x>,x"}\n',
    },
  ],
  [
    "stdin that is not read, or not to its end",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%0200000d' 0"}}
  - {id: b, type: cli, data: {title: B, content: "echo ok", stdin: {source: parent-index}}}
  - {id: c, type: cli, data: {title: C, content: "head -c 3", stdin: {source: parent-index}}}
edges: [a -> b, a -> c]
`,
      stdout: '{"b":"ok","c":"000"}\n',
    },
  ],
  [
    "env: exposeParents, names, inherit and static",
    {
      workflow: `
nodes: 
  - {id: p, type: text, data: {title: A, content: "P1"}}
  - {id: q, type: text, data: {title: A, content: "Q1"}}
  - {id: a, type: cli, data: {title: A, content: "echo $INPUT_1 $INPUT_2 $GREETING .", env: {exposeParents: true}}}
  - {id: b, type: cli, data: {title: A, content: "echo $FIRST $INPUT_2 $SECOND $INPUT_1 .", env: {exposeParents: true, names: [FIRST, SECOND]}}}
  - {id: b2, type: cli, data: {title: A, content: "echo $FIRST $INPUT_2 $SECOND $INPUT_1 .", env: {exposeParents: true, names: [FIRST]}}}
  - {id: c, type: cli, data: {title: A, content: "echo $GREETING", env: {inherit: [GREETING]}}}
  - {id: d, type: cli, data: {title: A, content: "echo $GREETING", env: {inherit: true}}}
  - {id: e, type: cli, data: {title: A, content: "echo $GREETING \${GREETING}", env: {static: {GREETING: "mine \${1}"}}}}
edges: [p -> a, q -> a, p -> b, q -> b, p -> b2, q->b2, p -> e]
`,
      stdout: '{"a":"P1 Q1 .","b":"P1 Q1 .","b2":"P1 Q1 .","c":"hello-env","d":"hello-env","e":"mine P1 mine P1"}\n',
      says: [
        "6:74 warning[env-not-passed]: GREETING is set in your environment, but commands do not get it unless you say so.",
      ],
    },
  ],
  [
    "names of environment variables",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: text, data: {title: A, content: "P1"}}
  - {id: a, type: cli, data: {title: A, content: "echo", env: {static: {"1A": x}, names: ["a b"], exposeParents: true}}}
edges: [p -> a]
`,
      exit: 2,
      says: [
        '5:73 error[bad-env-name]: "1A" cannot be the name of an environment variable.',
        '5:91 error[bad-env-name]: "a b" cannot be the name of an environment variable.',
      ],
    },
  ],
  [
    "in env.static a name never means env.static",
    {
      workflow: `
nodes: 
  - {id: a, type: cli, data: {title: A, content: "echo $GREETING \${GREETING}", env: {static: {GREETING: "\${GREETING}!", B: "\${GREETING}"}}}}
`,
      stdout: "hello-env! hello-env!\n",
    },
  ],
  [
    "a working directory that does not exist",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "pwd", cwd: /nonexistent/dir}}
`,
      exit: 1,
      says: ['error[cwd-missing]: Node "a" failed: The working directory "/nonexistent/dir" does not exist.'],
    },
  ],
  [
    "pipefail is on, the other flags are off",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "false | true; echo s$?"}}
  - {id: b, type: cli, data: {title: A, content: "false | true; echo s$?", flags: {pipefail: false}}}
  - {id: c, type: cli, data: {title: A, content: "false; echo on", flags: {exitOnError: true}, continueOnError: true}}
  - {id: d, type: cli, data: {title: A, content: "echo $NOPE; echo on", flags: {unsetVars: true}, continueOnError: true}}
  - {id: e, type: cli, data: {title: A, shell: sh, content: "false | true; echo s$?"}}
`,
      stdout: '{"a":"s1","b":"s0","e":"s0"}\n',
    },
  ],
  [
    "executionPolicyBypass needs advanced",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "true", flags: {executionPolicyBypass: true}}}
  - {id: b, type: cli, data: {title: A, content: "true", safetyLevel: advanced, flags: {executionPolicyBypass: true}}}
`,
      exit: 2,
      says: ['4:66 error[bypass-without-advanced]: "flags.executionPolicyBypass" needs safetyLevel: advanced.'],
    },
  ],
  [
    "scripts in other languages, and in shells",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: A, content: "PV"}}
  - {id: a, type: cli, data: {title: A, mode: script, content: "#!/usr/bin/env python3\\nimport sys,os\\nprint(sys.stdin.read(), os.environ['X'])\\n", stdin: {source: parent-index}, env: {static: {X: "\${1}"}}}}
  - {id: b, type: cli, data: {title: A, mode: script, content: "#!/usr/bin/env node\\nconsole.log(\`v \${1+1} \${process.env.X}\`)\\n", env: {static: {X: "y"}}}}
  - {id: c, type: cli, data: {title: A, mode: script, content: "#!/bin/bash\\nset -e\\nfor x in 1 2; do\\n echo $x \${1}\\ndone\\n"}}
  - {id: d, type: cli, data: {title: A, mode: script, content: "#!/bin/sh\\nprintf '%s\\\\n' \${1}\\n"}}
  - {id: e, type: cli, data: {title: A, mode: script, content: "echo a\\necho \${1}\\nexit 0\\n"}}
  - {id: f, type: cli, data: {title: A, mode: script, content: "#!/usr/bin/python3 -u\\nprint('hi')\\n", cwd: /tmp, timeout: 10s}}
edges: [p -> a, p -> b, p -> c, p -> d, p -> e]
`,
      stdout: '{"a":"PV PV","b":"v 2 y","c":"1 PV\\n2 PV","d":"PV","e":"a\\nPV","f":"hi"}\n',
    },
  ],
  [
    "an interpreter that is not on PATH",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, mode: script, content: "#!/usr/bin/env nosuchlang\\nx"}}
`,
      exit: 1,
      says: [
        'error[command-not-found]: Node "a" failed: The script\'s first line wants "nosuchlang", and no program of that name is on PATH.',
      ],
    },
  ],
  [
    "an interpreter that is not in its place",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, mode: script, content: "#!/opt/nope/lang\\nx"}}
`,
      exit: 1,
      says: [
        'error[command-not-found]: Node "a" failed: The script\'s first line wants "/opt/nope/lang", and there is no program in that place.',
      ],
    },
  ],
  [
    "a script of another language is no template",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: v, type: variable, data: {title: A, variableName: repo, initialValue: "r"}}
  - {id: a, type: cli, data: {title: A, mode: script, content: "#!/usr/bin/env python3\\nprint('\${repo}')"}}
`,
      stdout: "t.flow.yaml: valid (1 warning)\n",
      says: ["5:96 warning[template-not-replaced]: ${repo} stays as it is: a script for python3 is not a template."],
    },
  ],
  [
    "a command needs a text",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: ""}}
  - {id: b, type: cli, data: {title: A, content: "  \\n"}}
  - {id: c, type: cli, data: {title: A}}
  - {id: d, type: text, data: {title: A, content: ""}}
  - {id: e, type: text, data: {title: A}}
`,
      exit: 2,
      says: [
        '4:50 error[empty-content]: Node "a" has a command without text: "content" is empty.',
        '5:50 error[empty-content]: Node "b" has a command without text: "content" is empty.',
        '6:24 error[missing-field]: Node "c" (cli) has no "content"; it is required.',
        '8:25 error[missing-field]: Node "e" (text) has no "content"; it is required.',
      ],
    },
  ],
  [
    "output.format and output.select",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo '{\\"items\\":[{\\"id\\":7,\\"name\\":\\"n\\"},{\\"id\\":8}]}'", output: {format: json, select: "items.id"}}}
  - {id: b, type: cli, data: {title: A, content: "echo '{\\"items\\":[{\\"id\\":7,\\"name\\":\\"n\\"},{\\"id\\":8}]}'", output: {format: json, select: "items[0].name"}}}
  - {id: c, type: cli, data: {title: A, content: "echo '{\\"items\\":[{\\"id\\":7,\\"name\\":\\"n\\"},{\\"id\\":8}]}'", output: {select: "items[0].id"}}}
  - {id: d, type: cli, data: {title: A, content: "echo '{\\"items\\":[]}'", output: {select: "nope"}}}
  - {id: e, type: cli, data: {title: A, content: "printf '{\\"a\\":1}\\\\n{\\"a\\":2}\\\\n'", output: {format: lines}}}
  - {id: f, type: cli, data: {title: A, content: "printf '{\\"a\\":1}\\\\n{\\"a\\":2}\\\\n'", output: {format: lines, select: "a"}}}
  - {id: g, type: cli, data: {title: A, content: "printf ' {\\"a\\": 1}\\\\n\\\\n'", output: {format: json}}}
  - {id: h, type: cli, data: {title: A, content: "printf 'hello'", output: {select: "$uppercase($)"}}}
`,
      stdout:
        '{"a":[7,8],"b":"n","c":"7","d":"","e":"{\\"a\\":1}\\n{\\"a\\":2}","f":"[1,2]","g":{"a": 1},"h":"HELLO"}\n',
    },
  ],
  [
    "output.format: json refuses what is no JSON",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo not json", output: {format: json}}}
`,
      exit: 1,
      says: [
        'error[output-not-json]: Node "a" failed: The output is not JSON: it begins "not json" (Unexpected token \'o\', "not json" is not valid JSON).',
      ],
    },
  ],
  [
    "output.format: lines refuses a line that is no JSON",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '{}\\\\nx\\\\n'", output: {format: lines}}}
`,
      exit: 1,
      says: [
        'error[output-not-lines]: Node "a" failed: Line 2 of the output is not JSON: it begins "x" (Unexpected token \'x\', "x" is not valid JSON).',
      ],
    },
  ],
  [
    "select is an expression",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo 1", output: {select: "a b"}}}
`,
      exit: 2,
      says: ['4:80 error[expression-syntax]: This expression cannot be read: Syntax error: "b".'],
    },
  ],
  [
    "only stdout is handed on",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo out; echo err >&2"}}
`,
      stdout: "out\n",
    },
  ],
  [
    "a file that may not be executed",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "./t.flow.yaml"}}
`,
      exit: 1,
      says: [
        'error[not-executable]: Node "a" failed: The command exited with code 126: a program was found but may not be executed.',
      ],
    },
  ],
  [
    "fields of later issues are accepted",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo 1", rateLimit: {key: k, limit: 1, per: 1s}, cache: {key: "x", ttl: 5m}, concurrency: {key: a, limit: 2}, approval: {prompt: hi, timeout: 1h, onTimeout: reject}, httpErrors: fail, sandbox: none, egress: https, runsOn: [a], auth: x}}
`,
      stdout: "t.flow.yaml: valid (1 warning)\n",
      says: ['4:284 warning[unknown-auth]: The document\'s "auth" has no entry "x".'],
    },
  ],
  [
    "a script with Windows line ends",
    {
      workflow: `
nodes:
  - {id: b, type: cli, data: {title: B, mode: script, content: "echo a\\r\\necho b\\r\\n"}}
`,
      stdout: "a\nb\n",
    },
  ],
  [
    "parentIndex counts from 0",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: A, content: "x"}}
  - {id: a, type: cli, data: {title: A, content: "cat", stdin: {source: parent-index, parentIndex: -1}}}
edges: [p -> a]
`,
      exit: 2,
      says: ['5:100 error[out-of-range]: "stdin.parentIndex" must be 0 or more, not -1.'],
    },
  ],
  [
    "an empty value in env.static is set and empty",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo \\"[$E][\${E}]\\"", env: {static: {E: ""}}}}
`,
      stdout: "[][]\n",
    },
  ],
  [
    "cwd is a template, relative to the folder of the file",
    {
      args: ["--input", "d=sub"],
      workflow: `
inputs: {d: {type: string}}
nodes:
  - {id: m, type: cli, data: {title: A, content: "mkdir -p sub"}}
  - {id: a, type: cli, data: {title: A, content: "basename $PWD", cwd: "./\${d}"}}
edges: [m -> a]
`,
      stdout: "sub\n",
    },
  ],
  [
    "printf prints a value that looks like an option",
    {
      workflow: `
nodes:
  - {id: a, type: text, data: {title: A, content: "-n"}}
  - {id: b, type: cli, data: {title: B, content: "printf '<%s>' \${1}"}}
edges: [a -> b]
`,
      stdout: "<-n>\n",
    },
  ],
  [
    "characters of every length",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf 'äöü€𝄞\\\\n'"}}
  - {id: b, type: cli, data: {title: B, content: "printf '%s' \${1}; printf 'Ü'"}}
edges: [a -> b]
`,
      stdout: "äöü€𝄞Ü\n",
    },
  ],
  [
    "shell: sh",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, shell: sh, content: "printf '%s' \\"$0\\" | sed 's/.*\\\\.//'; x=1; echo \${x}"}}
`,
      stdout: "sh1\n",
    },
  ],
]);
