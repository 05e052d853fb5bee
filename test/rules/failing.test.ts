// failing: rules of failures: error branches, finally, what is tolerated, time limits, subflows, concurrency (spec 1.1, 3.1).

import { rules } from "./rules.ts";

rules([
  [
    "an edge into a finally node hands it a value",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo A"}}
  - {id: f, type: cli, data: {title: A, content: "echo got \${1} >> log; cat log"}}
edges: [a -> f]
finally: [f]
`,
      stdout: "A\n",
    },
  ],
  [
    "finally nodes that cannot be",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo A"}}
  - {id: f, type: cli, data: {title: A, content: "echo B"}}
edges: [f -> a]
finally: [f, zz, f]
`,
      exit: 2,
      says: [
        '6:9 error[edge-from-finally]: Edge "f -> a" leads from a "finally" node to one that runs before it.',
        '7:14 error[finally-missing-node]: "finally" names "zz"; no node has that id.',
        '7:18 error[duplicate-finally]: "f" stands twice in "finally".',
      ],
    },
  ],
  [
    "a failed finally node fails the run",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo A"}}
  - {id: f, type: cli, data: {title: A, content: "exit 4"}}
finally: [f]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "f" failed: The command exited with code 4.'],
    },
  ],
  [
    "finally nodes run after a failure",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 1"}}
  - {id: f, type: cli, data: {title: A, content: "echo cleaned >&2"}}
finally: [f]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 1.'],
    },
  ],
  [
    "edges among finally nodes order them",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 1"}}
  - {id: f, type: cli, data: {title: F, content: "echo one >> log"}}
  - {id: g, type: cli, data: {title: G, content: "echo two >> log; cat log >&2"}}
edges: [f -> g]
finally: [g, f]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 1.'],
    },
  ],
  [
    "an error branch gets the failure as JSON",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo out; echo bad >&2; exit 7"}}
  - {id: b, type: text, data: {title: A, content: "plain"}}
  - {id: c, type: text, data: {title: A, content: "\${1}"}}
  - {id: d, type: text, data: {title: A, content: "\${1.exitCode} \${1.code}"}}
edges: [a -> b, "a:error -> c", {source: a, target: d, sourceHandle: error}]
`,
      stdout:
        '{"c":"{\\"code\\":\\"exit-non-zero\\",\\"message\\":\\"The command exited with code 7.\\",\\"exitCode\\":7,\\"stderr\\":\\"bad\\\\n\\"}","d":"7 exit-non-zero"}\n',
    },
  ],
  [
    "an error branch is not taken after a success",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo out"}}
  - {id: b, type: text, data: {title: A, content: "plain \${1}"}}
  - {id: c, type: text, data: {title: A, content: "\${1}"}}
edges: [a -> b, "a:error -> c"]
`,
      stdout: '{"b":"plain out"}\n',
    },
  ],
  [
    "only what runs something has an error handle",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: text, data: {title: A, content: "echo out"}}
  - {id: b, type: text, data: {title: A, content: "plain \${1}"}}
  - {id: c, type: if, data: {title: A, content: "1=1"}}
edges: ["a:error -> b", "a -> c -> b", "c:error -> b"]
`,
      exit: 2,
      says: [
        '7:10 error[unknown-handle]: "a" has no handle "error".',
        '7:31 error[if-edge-without-handle]: The edge from the if node "c" to "b" does not say for which answer.',
        '7:41 error[unknown-handle]: "c" has no handle "error".',
      ],
    },
  ],
  [
    "continueOnError and an error branch together",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo out; exit 7", continueOnError: true}}
  - {id: b, type: text, data: {title: A, content: "plain \${1}"}}
  - {id: c, type: text, data: {title: A, content: "\${1.exitCode}"}}
edges: [a -> b, "a:error -> c"]
`,
      stdout: '{"b":"plain out","c":"7"}\n',
    },
  ],
  [
    "a failure in an error branch fails the run",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 5"}}
  - {id: h, type: cli, data: {title: H, content: "exit 6"}}
edges: ["a:error -> h"]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "h" failed: The command exited with code 6.'],
    },
  ],
  [
    "other exit codes can be success",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; exit 3", successExitCodes: [0, 3]}}
  - {id: b, type: cli, data: {title: A, content: "echo \${1}"}}
edges: [a -> b]
`,
      stdout: "x\n",
    },
  ],
  [
    "and 0 can be none",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; exit 0", successExitCodes: [3]}}
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 0.'],
    },
  ],
  [
    "continueOnError hands on the output there is",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; exit 3", continueOnError: true}}
  - {id: b, type: cli, data: {title: A, content: "echo \${1}"}}
edges: [a -> b]
`,
      stdout: "x\n",
    },
  ],
  [
    "a tolerated failure of the last node leaves its output and exit code 0",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; exit 3", continueOnError: true}}
`,
      stdout: "x\n",
    },
  ],
  [
    "a timeout",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; sleep 30", timeout: 500ms}}
`,
      exit: 1,
      says: ['error[timed-out]: Node "a" failed: The command was stopped after 500ms, its time limit.'],
    },
  ],
  [
    "an idle timeout",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x; sleep 30", idleTimeout: PT0.5S}}
`,
      exit: 1,
      says: [
        'error[timed-out-idle]: Node "a" failed: The command was stopped because it printed nothing for 500ms, its idle limit.',
      ],
    },
  ],
  [
    "a program that ignores the polite signal",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "trap '' TERM; sleep 30 & wait; sleep 30", timeout: 300ms, killGrace: 200ms}}
`,
      exit: 1,
      says: ['error[timed-out]: Node "a" failed: The command was stopped after 300ms, its time limit.'],
    },
  ],
  [
    "the timeout of the whole run: exit code 4, finally runs",
    {
      workflow: `
timeout: 500ms
nodes:
  - {id: a, type: cli, data: {title: A, content: "sleep 30"}}
  - {id: b, type: cli, data: {title: A, content: "echo fin >> log"}}
finally: [b]
`,
      exit: 4,
      says: ["error[run-timed-out]: The run was stopped after 500ms, its time limit."],
    },
  ],
  [
    "the timeout of the whole run is said in quiet too",
    {
      workflow: `
timeout: 300ms
nodes:
  - {id: a, type: cli, data: {title: A, content: "sleep 30"}}
`,
      exit: 4,
      says: ["error[run-timed-out]: The run was stopped after 300ms, its time limit."],
    },
  ],
  [
    "killed by a signal is a failure",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "kill -SEGV $$"}}
`,
      exit: 1,
      says: ['error[signalled]: Node "a" failed: The command was ended by the signal SIGSEGV: it crashed.'],
    },
  ],
  [
    "the first failure cancels what runs and skips the rest",
    {
      workflow: `
nodes:
  - {id: s, type: cli, data: {title: A, content: "sleep 10; echo late > late"}}
  - {id: a, type: cli, data: {title: A, content: "sleep 0.3; exit 9"}}
  - {id: b, type: cli, data: {title: A, content: "echo b"}}
edges: [a -> b]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 9.'],
    },
  ],
  [
    "an approval that nobody can give here: exit code 3",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi", needsUserApproval: true}}
  - {id: b, type: cli, data: {title: A, content: "echo b"}}
`,
      exit: 3,
    },
  ],
  [
    "advanced bypasses the approval, with a warning",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi", needsUserApproval: true, safetyLevel: advanced}}
`,
      stdout: "hi\n",
      says: [
        '4:61 warning[approval-bypassed]: "needsUserApproval" asks nobody here: safetyLevel: advanced bypasses the approval.',
      ],
    },
  ],
  [
    "--yes approves",
    {
      args: ["--yes"],
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo hi", needsUserApproval: true}}
`,
      stdout: "hi\n",
    },
  ],
  [
    "attempts that are used up",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 7", retry: {maxAttempts: 2, initialInterval: 10ms}}}
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "a" failed: The command exited with code 7.'],
    },
  ],
  [
    "ready nodes start in file order",
    {
      workflow: `
concurrency: 1
nodes:
  - {id: z, type: cli, data: {title: A, content: "echo z >> log"}}
  - {id: a, type: cli, data: {title: A, content: "echo a >> log"}}
  - {id: m, type: cli, data: {title: A, content: "cat log"}}
edges: [z -> m, a -> m]
`,
      stdout: "z\na\n",
    },
  ],
  [
    "concurrency: 1 runs one node at a time",
    {
      workflow: `
concurrency: 1
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo s1 >> log; sleep 0.2; echo e1 >> log"}}
  - {id: b, type: cli, data: {title: A, content: "echo s2 >> log; sleep 0.2; echo e2 >> log"}}
  - {id: c, type: cli, data: {title: A, content: "cat log"}}
edges: [a -> c, b -> c]
`,
      stdout: "s1\ne1\ns2\ne2\n",
    },
  ],
  [
    "independent nodes run side by side",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, timeout: 20s, content: "touch a; until [ -e b ]; do sleep 0.05; done; echo met"}}
  - {id: b, type: cli, data: {title: B, timeout: 20s, content: "touch b; until [ -e a ]; do sleep 0.05; done; echo met"}}
`,
      stdout: '{"a":"met","b":"met"}\n',
    },
  ],
  [
    "a subflow's value is its result",
    {
      workflow: `
nodes: [{id: a, type: subflow, data: {title: A, workflow: inner.flow.yaml, inputs: {x: "v \${1}"}}},{id: p, type: text, data: {title: P, content: "5"}}]
edges: [p -> a]
`,
      stdout: "inner v 5\n",
    },
  ],
  [
    "subflows are checked with the document",
    {
      verb: "validate",
      workflow: `
nodes: [{id: a, type: subflow, data: {title: A, workflow: ./nope.flow.yaml}},{id: b, type: subflow, data: {title: A, workflow: inner.flow.yaml, inputs: {y: "1"}}},{id: c, type: subflow, data: {title: A, workflow: t.flow.yaml}}]
`,
      exit: 2,
      says: [
        '3:59 error[subflow-missing]: The subflow "./nope.flow.yaml" cannot be read: no such file.',
        '3:154 error[subflow-unknown-input]: "inner.flow.yaml" has no input "y". Did you mean "x"?',
        "3:214 error[subflow-recursive]: This subflow leads back to itself: t.flow.yaml -> t.flow.yaml.",
      ],
    },
  ],
  [
    "inputs of a subflow are checked with the document",
    {
      verb: "validate",
      workflow: `
nodes: [{id: b, type: subflow, data: {title: A, workflow: strict.flow.yaml, inputs: {n: "abc"}}}]
`,
      exit: 2,
      says: [
        '3:89 error[subflow-wrong-input]: "strict.flow.yaml" refuses this value: Input "n": "abc" is not a whole number.',
        '3:59 error[subflow-missing-input]: "strict.flow.yaml" requires the input "x".',
      ],
    },
  ],
  [
    "a failed subflow can be handled",
    {
      workflow: `
nodes: [{id: b, type: subflow, data: {title: A, workflow: strict.flow.yaml, inputs: {n: "5", x: hello}}}, {id: e, type: text, data: {title: E, content: "\${1.code} \${1.message}"}}]
edges: ["b:error -> e"]
`,
      stdout: 'subflow-failed The subflow strict.flow.yaml failed at "a": The command exited with code 5.\n',
    },
  ],
  [
    "a failure inside a subflow is named by its place",
    {
      workflow: `
nodes: [{id: b, type: subflow, data: {title: A, workflow: strict.flow.yaml, inputs: {n: "5", x: hello}}}]
`,
      exit: 1,
      says: ['error[exit-non-zero]: Node "b/a" failed: The command exited with code 5.'],
    },
  ],
  [
    "inputs of a subflow that do not fit when it starts",
    {
      workflow: `
nodes: [{id: p, type: text, data: {title: P, content: "abc"}},{id: b, type: subflow, data: {title: A, workflow: strict.flow.yaml, inputs: {n: "\${1}", x: hello}}}]
edges: [p -> b]
`,
      exit: 1,
      says: [
        'error[subflow-inputs]: Node "b" failed: The inputs for strict.flow.yaml do not fit: Input "n": "abc" is not a whole number.',
      ],
    },
  ],
  [
    "a language model without a key is not asked",
    {
      workflow: `
nodes:
  - {id: a, type: llm, data: {title: A, content: "hi", model: openai/x}}
`,
      exit: 1,
      says: ['error[llm-key-missing]: Node "a" failed: openai/x needs a key, and OPENAI_API_KEY is not set anywhere.'],
    },
  ],
  [
    "fields of an LLM node",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: llm, data: {title: A, content: "hi", model: x}}
  - {id: b, type: llm, data: {title: A, content: "hi"}}
  - {id: c, type: llm, data: {title: A, content: "hi", model: foo/x, temperature: hot, budget: {tokens: 1, eur: 3}}}
`,
      exit: 2,
      says: [
        '4:63 error[bad-model]: "x" is not a model: its provider is missing.',
        '5:24 error[missing-field]: Node "b" (llm) has no "model"; it is required.',
        '6:83 error[wrong-type]: "temperature" must be a number, not the text "hot".',
        '6:108 error[unknown-field]: "budget" has no field "eur".',
      ],
    },
  ],
  [
    "retry.on is an expression about the attempt itself",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; exit 1", continueOnError: true, retry: {maxAttempts: 3, initialInterval: 1ms, on: "exitCode = 7"}}}
  - {id: b, type: cli, data: {title: B, content: "cat log"}}
edges: [a -> b]
`,
      stdout: "x\n",
    },
  ],
  [
    "retry.on sees the parents' values too",
    {
      workflow: `
nodes:
  - {id: p, type: cli, data: {title: P, content: "echo p"}}
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; exit 7", continueOnError: true, retry: {maxAttempts: 3, initialInterval: 1ms, on: "exitCode in [6, 7] and inputs[0] = 'p'"}}}
  - {id: b, type: cli, data: {title: B, content: "cat log"}}
edges: [p -> a -> b]
`,
      stdout: "x\nx\nx\n",
    },
  ],
  [
    "a retry.on that cannot be answered repeats nothing, and says so",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 3", retry: {initialInterval: 1ms, on: "$number('x') = 3"}}}
`,
      exit: 1,
      says: [
        'error[exit-non-zero]: Node "a" failed: The command exited with code 3. It was not repeated: "retry.on" could not be answered: The expression "$number(\'x\') = 3" failed: Unable to cast value to a number: "x".',
      ],
    },
  ],
  [
    "a subflow has no more time than its timeout",
    {
      workflow: `
nodes:
  - {id: s, type: subflow, data: {title: S, workflow: long.flow.yaml, timeout: 300ms}}
  - {id: b, type: text, data: {title: B, content: "\${1.code}"}}
edges: ["s:error -> b"]
`,
      stdout: "timed-out\n",
    },
  ],
  [
    "retry.on as a list of exit codes",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; exit 7", continueOnError: true, retry: {maxAttempts: 3, initialInterval: 1ms, on: [1, 8]}}}
  - {id: b, type: cli, data: {title: B, content: "cat log"}}
edges: [a -> b]
`,
      stdout: "x\n",
    },
  ],
  [
    "retry.on with exit codes, until it succeeds",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; test $(wc -l < log) -ge 3 && cat log", retry: {maxAttempts: 5, initialInterval: 1ms, on: {exitCodes: [1]}}}}
`,
      stdout: "x\nx\nx\n",
    },
  ],
  [
    "fields of retry",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "exit 1", retry: {maxAttempts: 0, multiplier: 0.5, jitter: some, on: "exitCode == 7"}}}
`,
      exit: 2,
      says: [
        '4:81 error[out-of-range]: "retry.maxAttempts" must be 1 or more, not 0.',
        '4:96 error[out-of-range]: "retry.multiplier" must be 1 or more, not 0.5.',
        '4:109 error[value-not-allowed]: "retry.jitter" cannot be "some". Did you mean "none"?',
      ],
    },
  ],
  [
    "a default for retry is merged with the node's own",
    {
      workflow: `
defaults: { retry: {maxAttempts: 2, initialInterval: 1ms, on: {exitCodes: [1]}} }
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo x >> log; test $(wc -l < log) -ge 3 && cat log", retry: {maxAttempts: 3}}}
`,
      stdout: "x\nx\nx\n",
    },
  ],
  [
    "an approval in a pass names the pass",
    {
      workflow: `
nodes:
  - {id: l, type: loop-start, data: {title: L, iterations: 2}}
  - {id: a, type: cli, data: {title: A, content: "echo \${i}", needsUserApproval: true}}
  - {id: e, type: loop-end, data: {title: E}}
edges: [l -> a -> e]
`,
      exit: 3,
    },
  ],
  [
    "--approve names a node",
    {
      args: ["--approve", "a"],
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo ok", needsUserApproval: true}}
`,
      stdout: "ok\n",
    },
  ],
  [
    "--approve of a node that does not exist",
    {
      args: ["--approve", "zz"],
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo ok", needsUserApproval: true}}
`,
      exit: 2,
      says: ['error[unknown-node]: --approve names "zz"; no node has that id.'],
    },
  ],
  [
    "finally nodes are not among the last nodes",
    {
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo val"}}
  - {id: f, type: cli, data: {title: F, content: "echo cleanup"}}
finally: [f]
`,
      stdout: "val\n",
    },
  ],
  [
    "output may name a finally node",
    {
      workflow: `
output: f
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo val"}}
  - {id: f, type: cli, data: {title: F, content: "echo cleanup"}}
finally: [f]
`,
      stdout: "cleanup\n",
    },
  ],
  [
    "finally is a list",
    {
      verb: "validate",
      workflow: `
nodes:
  - {id: a, type: cli, data: {title: A, content: "echo val"}}
finally: a
`,
      exit: 2,
      says: ['5:10 error[wrong-type]: "finally" must be a list, not the text "a".'],
    },
  ],
]);
