// first-workflow: the text of a new workflow file, which runs as it is and has a comment on each part (`curlew new`,
// and "New workflow" of the web UI).

export function firstWorkflow(name: string): string {
  return `curlew: 1
name: ${JSON.stringify(name)}
description: Greets someone and counts the letters.
inputs:
  name: { type: string, default: world, description: The person to greet }
nodes:
  - id: greet
    # A value never becomes code: whatever \${name} holds arrives as exactly one word.
    run: printf 'Hello, %s!\\n' "\${name}"
  - id: count_letters
    run: wc -m
    stdin: greet # what greet printed
  - id: report
    text: "\${greet} That is \${count_letters} letters."
`;
}
