// flows: small workflows that the browser's stories run.

/** Ends at once. */
export const HELLO = `curlew: 1
name: Hello
nodes:
  - id: greet
    type: cli
    data: { title: Greet, content: "echo hello" }
`;

export const GREETING = `curlew: 1
name: Greeting
inputs:
  word: { type: string, required: true, description: The person to greet }
  times: { type: integer, default: 2 }
nodes:
  - id: greet
    type: cli
    data: { title: Greet, content: 'echo "\${word}" \${times}' }
`;

export const FAILS = `curlew: 1
name: Fails
nodes:
  - id: broken
    type: cli
    data: { title: Broken, content: "echo no >&2; exit 3" }
`;

/** Waits for approval. */
export const ASKS = `curlew: 1
name: Asks
nodes:
  - id: gate
    type: cli
    data: { title: Gate, content: "echo passed", needsUserApproval: true }
`;

/** Runs until the file \`go\` exists beside it. */
export const HELD = `curlew: 1
name: Held
nodes:
  - id: hold
    type: cli
    data: { title: Hold, content: "until [ -e go ]; do sleep 0.05; done; echo let go" }
`;
