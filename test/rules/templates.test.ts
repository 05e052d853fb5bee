// templates: rules of templates and expressions (spec 1.3, 1.4).

import { expect, test } from "vitest";
import { validateWorkflow } from "../../src/workflow/validate.ts";
import { rules } from "./rules.ts";

rules([
  [
    "a text with inputs, escapes and filters",
    {
      workflow: `
inputs: {n: {type: integer, default: 3}, s: {type: string}}
nodes:
  - {id: a, type: text, data: {title: A, content: "n=\${n} s=\${s}; $\${n} \${n|json} "}}
`,
      stdout: 'n=3 s=; ${n} "3" \n',
    },
  ],
  [
    "an optional input that nobody gave is empty",
    {
      workflow: `
inputs: {opt: {type: string}}
nodes: [{id: a, type: cli, data: {title: A, content: "echo \\"<\${opt}>\\""}}]
`,
      stdout: "<>\n",
    },
  ],
  [
    "also when the environment has such a name",
    {
      workflow: `
inputs: {HOME: {type: string}}
nodes: [{id: a, type: cli, data: {title: A, content: "echo \\"<\${HOME}>\\""}}]
`,
      stdout: "<>\n",
    },
  ],
  [
    "the environment in fields that no shell reads",
    {
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "\${GREETING}"}}, {id: b, type: cli, data: {title: A, content: 'echo "$A"', env: {static: {A: "\${GREETING}"}}}}, {id: c, type: cli, data: {title: A, content: "echo [\${GREETING}]"}},{id: v, type: variable, data: {title: A, variableName: v, initialValue: "\${GREETING}"}}]
`,
      stdout: '{"a":"hello-env","b":"hello-env","c":"[]","v":"hello-env"}\n',
      says: [
        "3:219 warning[env-not-passed]: GREETING is set in your environment, but commands do not get it unless you say so.",
      ],
    },
  ],
  [
    "unknown names",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: text, data: {title: A, content: "\${GREETNG}"}}, {id: v, type: variable, data: {title: A, variableName: grating, initialValue: "\${GREETINGG}"}},{id: c, type: cli, data: {title: A, content: "echo [\${gratin}] \${2}", cwd: "\${nowhere}", env: {static: {A: "\${gratin}"}}, stdin: {source: literal, literal: "\${1} \${gratin}"}}}]
`,
      exit: 2,
      says: [
        '3:56 error[unknown-name]: ${GREETNG} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name. Did you mean "grating"?',
        '3:150 error[unknown-name]: ${GREETINGG} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name. Did you mean "grating"?',
        '3:218 warning[unknown-name-in-shell]: ${gratin} is left to the shell, but nothing sets it. Did you mean "grating"?',
        "3:229 error[parent-out-of-range]: ${2} is the value of parent 2, but no edge leads to this node.",
        "3:242 error[unknown-name]: ${nowhere} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name.",
        '3:274 error[unknown-name]: ${gratin} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name. Did you mean "grating"?',
        "3:323 error[parent-out-of-range]: ${1} is the value of parent 1, but no edge leads to this node.",
        '3:328 error[unknown-name]: ${gratin} is nothing here: no loop variable, Variable, Accumulator, input, secret or environment variable has that name. Did you mean "grating"?',
      ],
    },
  ],
  [
    "unknown names in a command are the shell's, with a warning",
    {
      workflow: `
nodes: [{id: v, type: variable, data: {title: A, variableName: repo, initialValue: "r"}},{id: c, type: cli, data: {title: A, content: "x=1; test -n \\"\${HOME}\\"; echo \${x} \${rep} \${x:-3} \${#x} \${x%1} $x"}}]
`,
      stdout: '{"v":"r","c":"1 1 1 1"}\n',
      says: [
        '3:172 warning[unknown-name-in-shell]: ${rep} is left to the shell, but nothing sets it. Did you mean "repo"?',
      ],
    },
  ],
  [
    "members of JSON",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: '{"items":[{"id":7,"name":"n"}],"a b":1, "t":true,"nu":null, "s":"str"}'}}, {id: c, type: text, data: {title: A, content: "\${1.items[0].id} \${1.items} \${1.t} \${1.nu} \${1.s} \${1.s|json} \${1.items[0]}"}}]
edges: [p -> c]
`,
      stdout: '7 [{"id":7,"name":"n"}] true null str "str" {"id":7,"name":"n"}\n',
    },
  ],
  [
    "a member that is not there",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: '{"items":[{"id":7,"name":"n"}],"ab":1}'}}, {id: c, type: text, data: {title: A, content: "\${1.itms[0].id}"}}]
edges: [p -> c]
`,
      exit: 1,
      says: [
        'error[template-missing-member]: Node "c" failed: ${1.itms} does not exist: ${1} has the members items, ab.',
      ],
    },
  ],
  [
    "an element that is not there",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: '{"items":[{"id":7,"name":"n"}],"ab":1}'}}, {id: c, type: cli, data: {title: A, content: "echo \${1.items[3].id}"}}]
edges: [p -> c]
`,
      exit: 1,
      says: [
        'error[template-missing-member]: Node "c" failed: ${1.items[3]} does not exist: ${1.items} is a list with members [0] to [0].',
      ],
    },
  ],
  [
    "members of what is no JSON",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: 'not json'}}, {id: c, type: cli, data: {title: A, content: "echo \${1.items[3].id}"}}]
edges: [p -> c]
`,
      exit: 1,
      says: [
        'error[template-not-json]: Node "c" failed: ${1.items[3].id} asks for a member, but the value of ${1} is not JSON; it begins with "not json".',
      ],
    },
  ],
  [
    "numbers keep their digits",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: '{"id": 12345678901234567890, "f": 1.0}'}}
  - {id: a, type: text, data: {title: A, content: "\${1.id} \${1.f}"}}
edges: [p -> a]
`,
      stdout: "12345678901234567890 1.0\n",
    },
  ],
  [
    "filters",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: "a b/ü\\"'\\n"}}, {id: c, type: text, data: {title: A, content: "\${1|json} \${1|uri} \${1|b64} \${1|sh}"}}, {id: d, type: cli, data: {title: A, content: "printf '%s\\\\n' \${1|json} \${1|uri} \${1|b64} ; printf %s '{\\"q\\": \${1|json}}'; cat \${1|file}"}}]
edges: [p -> c, p -> d]
`,
      stdout:
        '{"c":"\\"a b/ü\\\\\\"\'\\\\n\\" a%20b%2F%C3%BC%22%27%0A YSBiL8O8IicK \'a b/ü\\"\'\\\\\'\'\\n\'","d":"\\"a b/ü\\\\\\"\'\\\\n\\"\\na%20b%2F%C3%BC%22%27%0A\\nYSBiL8O8IicK\\n{\\"q\\": \\"a b/ü\\\\\\"\'\\\\n\\"}a b/ü\\"\'"}\n',
    },
  ],
  [
    "a number in arithmetic",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: "42"}}, {id: c, type: cli, data: {title: A, content: "echo $(( \${1|int} + 1 ))"}}]
edges: [p -> c]
`,
      stdout: "43\n",
    },
  ],
  [
    "a number that is none",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: "42; id"}}, {id: c, type: cli, data: {title: A, content: "echo $(( \${1|int} + 1 ))"}}]
edges: [p -> c]
`,
      exit: 1,
      says: ['error[template-filter]: Node "c" failed: ${1|int} needs a whole number; the value is "42; id".'],
    },
  ],
  [
    "filters and references that do not exist",
    {
      verb: "validate",
      workflow: `
nodes: [{id: p, type: text, data: {title: A, content: "42; id"}}, {id: c, type: cli, data: {title: A, content: "echo \${1|jsn} \${1|}"}}, {id: d, type: text, data: {title: A, content: "\${1|jsn} \${1 \${} \${x y}"}}]
edges: [p -> c, p -> d]
`,
      exit: 2,
      says: [
        '3:118 error[unknown-filter]: There is no filter "jsn".',
        "3:127 error[template-operator]: ${1|} applies an operator of the shell to a value of the workflow.",
        '3:127 error[template-syntax]: "${1|}" is not a reference.',
        '3:184 error[unknown-filter]: There is no filter "jsn". Did you mean "json"?',
        '3:193 error[template-syntax]: "${1 ${}" is not a reference.',
        '3:201 error[template-syntax]: "${x y}" is not a reference. Did you mean "${xy}"?',
      ],
    },
  ],
  [
    "$${…} is a literal ${…}",
    {
      workflow: `
nodes: [{id: c, type: cli, data: {title: A, content: "x=5; echo $\${x} '$\${x}' $$ | sed 's/[0-9][0-9]*$/PID/'"}}]
`,
      stdout: "${x} ${x} PID\n",
    },
  ],
  [
    "a hostile value is one word in every place",
    {
      args: ["--input", "v=$(touch pwned) `id` 'q' \"d\" * ; & | \\ é"],
      workflow: `
inputs: {v: {type: string}}
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%s\\\\n' \${v} \\"\${v}\\" '\${v}' x\${v}y; cat <<E\\n\${v}\\nE\\nls"}}
`,
      stdout:
        "$(touch pwned) `id` 'q' \"d\" * ; & | \\ é\n$(touch pwned) `id` 'q' \"d\" * ; & | \\ é\n$(touch pwned) `id` 'q' \"d\" * ; & | \\ é\nx$(touch pwned) `id` 'q' \"d\" * ; & | \\ éy\n$(touch pwned) `id` 'q' \"d\" * ; & | \\ é\ninner.flow.yaml\nlong.flow.yaml\nstrict.flow.yaml\nt.flow.yaml\n",
    },
  ],
  [
    "values are never scanned again",
    {
      args: ["--input", "v=${HOME} ${1} $${x}"],
      workflow: `
inputs: {v: {type: string}}
nodes:
  - {id: a, type: text, data: {title: A, content: "<\${v}>"}}
  - {id: b, type: cli, data: {title: B, content: "printf '%s\\\\n' \${v}"}}
`,
      stdout: '{"a":"<${HOME} ${1} $${x}>","b":"${HOME} ${1} $${x}"}\n',
    },
  ],
  [
    "a text inside JSON",
    {
      args: ["--input", 'q=say "hi"'],
      workflow: `
inputs: {q: {type: string}}
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%s\\\\n' '{\\"q\\": \${q|json}}'"}}
`,
      stdout: '{"q": "say \\"hi\\""}\n',
    },
  ],
  [
    "a heredoc",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: "a $x \`y\` \\\\ z"}}
  - {id: a, type: cli, data: {title: A, mode: script, content: "cat <<END\\nv=\${1}\\nEND\\n"}}
edges: [p -> a]
`,
      stdout: "v=a $x `y` \\ z\n",
    },
  ],
  [
    "places where a value would be code",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: "x"}}
  - {id: a, type: cli, data: {title: A, content: "eval \${1}"}}
  - {id: b, type: cli, data: {title: B, content: "sh -c \${1}"}}
  - {id: c, type: cli, data: {title: C, content: "\${1} --help"}}
edges: [p -> a, p -> b, p -> c]
`,
      exit: 2,
      says: [
        '5:56 error[template-evaluated]: ${1} is an argument of "eval", which evaluates it or lets it choose names.',
        '6:57 error[template-program-text]: ${1} is in program text of "sh": the value would be read as code.',
        "7:51 error[template-command-name]: ${1} would choose which command runs.",
      ],
    },
  ],
  [
    "a whole number in arithmetic",
    {
      workflow: `
nodes:
  - {id: p, type: text, data: {title: P, content: "5"}}
  - {id: a, type: cli, data: {title: A, content: "echo $(( \${1} + 1 ))"}}
edges: [p -> a]
`,
      stdout: "6\n",
    },
  ],
  [
    "values too large for the environment go by themselves",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%0200000d' 0"}}
  - {id: b, type: cli, data: {title: B, content: "printf %s \${1} | wc -c"}}
  - {id: c, type: cli, data: {title: C, content: "wc -c", stdin: {source: parent-index}}}
  - {id: e, type: text, data: {title: E, content: "\${1}x"}}
  - {id: f, type: cli, data: {title: F, content: "wc -c < \${1|file}"}}
  - {id: g, type: cli, data: {title: G, content: "wc -c", stdin: {source: parents-all}}}
edges: [a -> b, a -> c, a -> e, a -> f, e -> g]
`,
      stdout: '{"b":"200000","c":"200000","f":"200000","g":"200001"}\n',
    },
  ],
  [
    "a value too large for an argument fails before the command starts",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%0200000d' 0"}}
  - {id: d, type: cli, data: {title: D, content: "/bin/echo \${1} | wc -c"}}
edges: [a -> d]
`,
      exit: 1,
      says: [
        'error[value-oversize]: Node "d" failed: ${1} has 200000 bytes; one argument or variable of a command may have 120000.',
      ],
    },
  ],
  [
    "a value too large for an environment variable",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "printf '%0200000d' 0"}}
  - {id: d, type: cli, data: {title: A, content: "echo x", env: {exposeParents: true}}}
edges: [a -> d]
`,
      exit: 1,
      says: [
        'error[value-too-large]: Node "d" failed: The value for the environment variable INPUT_1 has 200000 bytes; one variable can hold 120000.',
      ],
    },
  ],
  [
    "names and types in expressions",
    {
      workflow: `
inputs: {x: {type: integer, default: 4}, s: {type: string, default: "5"}, j: {type: string, default: '{"a":1}'}, opt: {type: string}}
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "inputs[0] = 7 and exitCode = 0 and vars.x = 4 and vars.s = '5' and vars.j.a = 1 and $not($exists(vars.opt))"}}
  - {id: y, type: text, data: {title: Y, content: "Y[\${opt}]"}}
  - {id: n, type: text, data: {title: Y, content: "N"}}
edges: [p -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y[]"}\n',
    },
  ],
  [
    "run in an expression",
    {
      workflow: `
inputs: {x: {type: integer, default: 4}}
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "run.name = 'T' and run.inputs.x = 4 and $length(run.id) > 8"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      stdout: "Y\n",
    },
  ],
  [
    "a JSON string is a string",
    {
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo '\\"7\\"'"}}
  - {id: c, type: if, data: {title: C, content: "inputs[0] = '7'"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
  - {id: n, type: text, data: {title: Y, content: "N"}}
edges: [p -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y"}\n',
    },
  ],
  [
    "text, null, and an input that is not there",
    {
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo a"}}
  - {id: q, type: cli, data: {title: P, content: "echo '{\\"k\\":null}'"}}
  - {id: c, type: if, data: {title: C, content: "inputs[0] = 'a' and inputs[1].k = null and $not($exists(inputs[2]))"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
  - {id: n, type: text, data: {title: Y, content: "N"}}
edges: [p -> c, q -> c, "c:true -> y", "c:false -> n"]
`,
      exit: 2,
      says: [
        "6:106 error[parent-out-of-range]: inputs[2] is the value of parent 3, but this node has 2 parents: p and q.",
      ],
    },
  ],
  [
    "arrays in expressions",
    {
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo '[1,2,3]'"}}
  - {id: c, type: if, data: {title: C, content: "$count(inputs[0]) = 3 and inputs[0][1] = 2"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
  - {id: n, type: text, data: {title: Y, content: "N"}}
edges: [p -> c, "c:true -> y", "c:false -> n"]
`,
      stdout: '{"y":"Y"}\n',
    },
  ],
  [
    "a variable that does not exist",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: c, type: if, data: {title: C, content: "vars.nope = 1 or inputs[0] = 1 or foo = 2 or item = 3 or status = 5"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: ["c:true -> y"]
`,
      exit: 2,
      says: [
        "4:50 error[unknown-variable]: vars.nope is nothing: no Variable, Accumulator or input has that name.",
        '4:84 error[expression-unknown-name]: "foo" is nothing in an expression.',
        '4:95 error[expression-unknown-name]: "item" is nothing in an expression.',
      ],
    },
  ],
  [
    "a name that does not exist",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "input[0] = 7"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: ['5:50 error[expression-unknown-name]: "input" is nothing in an expression. Did you mean "inputs"?'],
    },
  ],
  [
    "an input that is not there",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "inputs[1] = 7"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: ["5:50 error[parent-out-of-range]: inputs[1] is the value of parent 2, but this node has one parent: p."],
    },
  ],
  [
    "an expression that cannot be read",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "exitCode = = 3"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: [
        '5:61 error[expression-syntax]: This expression cannot be read: The symbol "=" cannot be used as a unary operator.',
      ],
    },
  ],
  [
    "items with the values themselves in a text",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: L, items: "east, west"}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> e]
`,
      exit: 2,
      says: ['4:60 error[expression-syntax]: This expression cannot be read: Syntax error: ",".'],
    },
  ],
  [
    "== is =",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "inputs[0] == 3"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: ['5:60 error[expression-double-equals]: "==" is not an operator here: equality is a single "=".'],
    },
  ],
  [
    "a template in an expression",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "inputs[0] = 3 && \${1} = 4"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: ["5:67 error[expression-template]: ${1} is a template; an expression names values directly."],
    },
  ],
  [
    "operators of other languages",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo 7"}}
  - {id: c, type: if, data: {title: C, content: "!inputs[0] || exitCode = 1"}}
  - {id: y, type: text, data: {title: Y, content: "Y"}}
edges: [p -> c, "c:true -> y"]
`,
      exit: 2,
      says: [
        '5:50 error[expression-operator]: "!" is not an operator here.',
        '5:61 error[expression-operator]: "||" is not an operator here.',
      ],
    },
  ],
  [
    "members of a Variable",
    {
      workflow: `
nodes:
  - {id: v, type: variable, data: {title: V, variableName: v, initialValue: '{"name":"n1","a":{"b":[{"c":5}]}}'}}
  - {id: a, type: text, data: {title: A, content: "\${v.name} \${v.a.b[0].c} \${v.a.b}"}}
`,
      stdout: 'n1 5 [{"c":5}]\n',
    },
  ],
  [
    "members with a dash",
    {
      workflow: `
nodes:
  - {id: v, type: variable, data: {title: V, variableName: v, initialValue: '{"first-name":"n1","a b":2}'}}
  - {id: a, type: text, data: {title: A, content: "\${v.first-name}"}}
`,
      stdout: "n1\n",
    },
  ],
  [
    "an empty value is one empty word",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "true"}}
  - {id: b, type: cli, data: {title: B, content: "printf '<%s>' \${1}"}}
edges: [a -> b]
`,
      stdout: "<>\n",
    },
  ],
  [
    "blanks, tabs and line breaks stay in one word",
    {
      workflow: `
nodes:
  - {id: a, type: text, data: {title: A, content: "a  b\\n c\\t"}}
  - {id: b, type: cli, data: {title: B, content: "for x in \${1}; do printf '<%s>' $x; done; y=\${1}; printf '<%s>' \\"$y\\""}}
edges: [a -> b]
`,
      stdout: "<a><b><c><a  b\n c\t>\n",
    },
  ],
]);

test.each([
  ["east, west", ["east", "west"]],
  ["one\ntwo\nthree\nfour\n", ["one", "two", "three"]],
  ["$split(1", undefined],
])("items %j: the help is a list where the values stand there themselves", async (items, values) => {
  const text = JSON.stringify({
    ...{ curlew: 1, edges: ["l -> e"] },
    nodes: [
      { id: "l", type: "loop-start", data: { title: "L", items } },
      { id: "e", type: "loop-end", data: { title: "E" } },
    ],
  });
  const { diagnostics } = await validateWorkflow(text, "t.flow.json");
  const help = diagnostics.find(({ code }) => code === "expression-syntax")?.help;
  if (values === undefined) expect(help).toContain("Expressions are JSONata");
  else expect(help).toContain(`items: [${values.map((value) => JSON.stringify(value)).join(", ")}`);
});
