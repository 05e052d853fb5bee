// first-workflow: the text of a new workflow file, which runs as it is and has a comment on each part (`curlew new`,
// and "New workflow" of the web UI).

export function firstWorkflow(name: string): string {
  return `curlew: 1
name: ${JSON.stringify(name)}
description: Greets somebody and counts the letters.
inputs:
  name: { type: string, default: world, description: The person to greet }
nodes:
  - id: greet
    type: cli
    data:
      title: Greet
      # A value never becomes code: whatever \${name} holds arrives as exactly one word.
      content: printf 'Hello, %s!\\n' "\${name}"
  - id: count
    type: cli
    data:
      title: Count the letters
      content: wc -m
      stdin: { source: parent-index, parentIndex: 0 } # what greet printed
  - id: report
    type: text
    data:
      title: Report
      content: "\${1} That is \${2} letters." # its first and its second parent
edges:
  - greet -> report
  - greet -> count -> report
`;
}
