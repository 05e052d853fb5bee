import { expect, test } from "vitest";
import { scanTokens } from "../src/secrets/scan.ts";
import { validateTree } from "../src/workflow/tree.ts";

/** Put together here, so that no file looks as if it contained one. They open nothing. */
const noise = "a1B2c3D4e5F6g7H8i9J0kLmN";
const tokens: [kind: string, token: string][] = [
  ["a GitHub token", `${"gh"}p_${noise}${noise.slice(0, 12)}`],
  ["a GitLab token", `${"gl"}pat-${noise}`],
  ["an npm token", `${"np"}m_${noise}${noise.slice(0, 12)}`],
  ["a Slack token", `${"xo"}xb-123456789012-1234567890123-${noise}`],
  ["a Stripe key", `${"sk"}_live_${noise}`],
  ["a Hugging Face token", `${"h"}f_${"aBcDeFgHiJkLmNoPq".repeat(2)}`],
  ["a SendGrid key", `${"S"}G.${noise.slice(0, 22)}.${noise}${noise.slice(0, 19)}`],
  ["an AWS key", `${noise}/${noise.slice(0, 15)}`],
  ["an OpenAI key", `${"s"}k-${noise.slice(0, 20)}T3Blbk${"FJ"}${noise.slice(0, 20)}`],
  ["a Docker token", `${"dckr"}_pat_${noise}abc`],
];

test.each(tokens)("%s", async (kind, token) => {
  const text = kind === "an AWS key" ? `aws_secret_access_key = "${token}"` : `before ${token} after`;
  const found = await scanTokens(text);
  expect(found.map((one) => [one.kind, text.slice(one.start, one.end)])).toEqual([[kind, token]]);
});

test("a comment says that a line only looks like it", async () => {
  const [, token] = tokens[0]!;
  expect(await scanTokens(`a: ${token} # secretlint-disable-line\nb: ${token}\n`)).toHaveLength(1);
});

test("messages about a document contain none of them, as text and as JSON", async () => {
  for (const [kind, token] of tokens) {
    const value = kind === "an AWS key" ? `aws_secret_access_key=${token}` : token;
    const document = `curlew: 1\nname: "${value}"\nnodes:\n  - { id: "${value}", typ: "${value}", type: "${value}", data: { title: "${value}", content: "${value}" } }\nedges: ["${value} -> ${value}"]\n`;
    const tree = await validateTree(document, "x.flow.yaml", async () => ({ ok: false, error: "no such file" }), {
      scanTokens,
    });
    expect(tree.diagnostics.length, kind).toBeGreaterThan(3);
    expect(JSON.stringify(tree.diagnostics), kind).not.toContain(token);
    expect(tree.sources.get("x.flow.yaml")?.shown, kind).not.toContain(token);
    expect(tree.sources.get("x.flow.yaml")?.shown).toHaveLength(document.length);
  }
});
