// Finds tokens by the formats of their vendors, with the rules of secretlint (spec 4.2; docs/adr/0021).
//   C1. The rules are loaded only if the text may contain such a token.
//   C2. The text stays in memory: nothing is read from disk or sent, and findings contain no part of it.

/** Offsets in the text. `end` is exclusive. `kind`: for example `a GitHub token`. */
export interface FoundToken {
  start: number;
  end: number;
  kind: string;
  certain: true;
}

/** The comments `secretlint-disable-line` and `secretlint-disable-next-line` mark text that only looks like a token. */
export async function scanTokens(text: string): Promise<FoundToken[]> {
  if (!MAY_HOLD.test(text)) return [];
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const { messages } = await lintSource({
    // Not a real file name, because some rules would read the file.
    source: { filePath: "document", content: text, ext: "", contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules: [{ id: "preset", rule: creator }] } },
  });
  return messages.flatMap(({ ruleId, range: [start, end], messageId }) => {
    const kind = kindOf(ruleId, messageId);
    return kind === undefined ? [] : [{ ...withoutName(text, start, end, ruleId), kind, certain: true as const }];
  });
}

const MAY_HOLD =
  /-----BEGIN|\b(?:AKIA|ASIA|A3T|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]|[A-Za-z0-9/+=]{40}|_authToken|npm_|xox[a-z]-|xapp-|hooks\.slack|sk-|[sr]k_(?:live|test)|gsk_|hf_|lin_api|ntn_|SG\.|shp[a-z]{2}_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|ops_ey|hv[sbr]\.|vc[piark]_|dapi|dckr_pat|figd_|cf(?:k|ut|at)_|tskey-|:\/\/[^\s/]*:[^\s/]*@|private_key|x-oauth-basic/i;

const VENDORS: Record<string, string> = {
  aws: "an AWS key",
  gcp: "a Google Cloud key",
  npm: "an npm token",
  slack: "a Slack token",
  openai: "an OpenAI key",
  anthropic: "an Anthropic key",
  groq: "a Groq key",
  huggingface: "a Hugging Face token",
  linear: "a Linear key",
  notion: "a Notion token",
  privatekey: "a private key",
  sendgrid: "a SendGrid key",
  shopify: "a Shopify key",
  stripe: "a Stripe key",
  github: "a GitHub token",
  gitlab: "a GitLab token",
  grafana: "a Grafana token",
  "1password": "a 1Password token",
  "hashicorp-vault": "a Vault token",
  vercel: "a Vercel token",
  databricks: "a Databricks token",
  docker: "a Docker token",
  figma: "a Figma token",
  cloudflare: "a Cloudflare token",
  tailscale: "a Tailscale key",
};

/**
 * Rules that match `NAME = "value"` include the name, which is not secret. Those of AWS and npm give the
 * name's start and the value's length.
 */
function withoutName(text: string, start: number, end: number, ruleId: string): { start: number; end: number } {
  const ofGroup = /-(?:aws|npm)$/.test(ruleId);
  const pattern = ofGroup ? /^(?:https?:\/\/|\s*["']?[A-Za-z_]+["']?\s*(?:=>|=|:)\s*["']?)/ : NAME;
  const name = pattern.exec(text.slice(start, end + 80))?.[0] ?? "";
  const from = start + name.length;
  const to = ofGroup ? end + name.length : end;
  const tail = /["'\s]*$/.exec(text.slice(from, to))?.[0] ?? "";
  return { start: from, end: to - tail.length };
}

const NAME = /^\s*["']?[A-Za-z_]+["']?\s*(?:=>|=|:(?!\/\/))\s*["']?/;

function kindOf(ruleId: string, messageId: string): string | undefined {
  // An account number is not a secret. Passwords in URLs are found by workflow/credentials.ts.
  if (messageId === "AWSAccountID" || /-(?:basicauth|database-connection-string)$/.test(ruleId)) return undefined;
  return VENDORS[ruleId.replace(/^.*secretlint-rule-/, "")] ?? "a token";
}
