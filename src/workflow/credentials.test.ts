import { expect, test } from "vitest";
import { covered, findCredentials } from "./credentials.ts";

/** Looks real, but is made up here. */
const REAL = `${"q7Zt".repeat(2)}Xw94Lm20`;

function check(text: string): string {
  const found = findCredentials(text);
  for (const { start, end } of found) expect(text.slice(start, end)).not.toMatch(/^\s|\s$/);
  return found.map(({ start, end, certain }) => `${certain ? "sure" : "maybe"} ${text.slice(start, end)}`).join(", ");
}

test.each([
  [`curl -H 'Authorization: Bearer ${REAL}' https://x`],
  [`curl -H "authorization: token ${REAL}"`],
  [`content: "curl -H \\"Authorization: Bearer ${REAL}\\" x"`],
  [`curl -H 'X-API-Key: ${REAL}'`],
  [`curl --header "PRIVATE-TOKEN: ${REAL}"`],
  [`curl -H 'Ocp-Apim-Subscription-Key: ${REAL}'`],
  [`curl -sSu anna:${REAL} https://x`],
  [`curl \\\n  --user 'anna:${REAL}' \\\n  https://x`],
  [`curl --proxy-user anna:${REAL} https://x`],
  [`curl --oauth2-bearer ${REAL} https://x`],
  [`curl https://anna:${REAL}@api.x/y`],
  [`git clone https://:${REAL}@git.x/y`],
  [`git clone https://${REAL}:x-oauth-basic@github.com/a/b`],
  [`git clone https://${REAL}@github.com/a/b`],
  [`postgres://app:${REAL}@db/x`],
  [`curl -d '{"client_secret": "${REAL}"}'`],
  [`content: "curl -d \\"{\\\\\\"password\\\\\\":\\\\\\"${REAL}\\\\\\"}\\""`],
  [`curl -d grant_type=x -d client_secret=${REAL}`],
  [`curl 'https://x/?a=b&api_key=${REAL}&c=d'`],
  [`curl 'https://x/?key=${REAL}'`],
  [`# curl -H 'Authorization: Bearer ${REAL}'`],
])("found: %s", (text) => {
  expect(check(text)).toBe(`sure ${REAL}`);
});

test.each([
  [`curl -H 'Authorization: Basic ${Buffer.from("anna:hunter22").toString("base64")}'`, "maybe YW5uYTpodW50ZXIyMg=="],
  ["curl -u admin:hunter22 https://x", "maybe hunter22"],
  ["curl -H 'Authorization: Bearer letmein' https://x", "maybe letmein"],
  ["curl https://anna:opensesame@x/", "maybe opensesame"],
])("its place alone speaks for it: %s", (text, expected) => {
  expect(check(text)).toBe(expected);
});

test.each([
  "curl -H 'Authorization: Bearer ${TOKEN}' https://x",
  'curl -H "Authorization: Bearer $TOKEN" https://x',
  "curl -H 'Authorization: Bearer YOUR_TOKEN' https://x",
  "curl -H 'Authorization: Bearer <token>' https://x",
  "curl -H 'Authorization: Bearer xxxxxxxxxxxxxxxxxxxxxxxx' https://x",
  "curl -H 'Authorization: Bearer ...' https://x",
  "curl -H 'Authorization: Bearer %TOKEN%' https://x",
  "curl -u ${USER}:${PASSWORD} https://x",
  'curl -u "$NAME:$PASS" https://x',
  "curl -u user:password https://x",
  "curl -u anna: https://x",
  "curl https://${USER}:${PASS}@x/",
  "curl https://x:8080/a@b https://x/a:b@c",
  'curl -d \'{"password": "${PASSWORD}"}\' https://x',
  "curl -d password=${PASSWORD} https://x",
  "docker run -u 1000:1000 x; sort -u a:bcd",
  "curl 'https://x/?pageToken=CAoQAA&key=name'",
  "description: the password = what you chose; see Authorization: Basic auth",
  "jq -r '.access_token'",
  "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "secrets: [API_TOKEN]",
])("no credential: %s", (text) => {
  expect(check(text)).toBe("");
});

test("a private key is covered without its frame", () => {
  const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n  ${"MIIEowIB".repeat(10)}\n  ${"q7ZtXw94".repeat(4)}\n-----END`;
  const [found, ...more] = findCredentials(key);
  expect(more).toEqual([]);
  expect(found?.certain).toBe(true);
  expect(covered(key, [found!]).replaceAll(/\*+/g, "*")).toBe(`-----BEGIN RSA ${"PRIVATE"} KEY-----\n  *\n*\n-----END`);
});

test("stars keep the length and the lines", () => {
  const text = `a: 1\ncurl -u anna:${REAL} x\n`;
  const shown = covered(text, findCredentials(text));
  expect(shown).toBe(`a: 1\ncurl -u anna:${"*".repeat(REAL.length)} x\n`);
});

test("a large text is read quickly, with any contents", () => {
  const nasty = [
    "curl -u a:",
    "Authorization: Bearer ",
    "://a:",
    '"password":"',
    "-----BEGIN PRIVATE KEY-----\n",
    "eyJaaaaaaaaaaaa.",
  ];
  for (const part of nasty) {
    const text = part.repeat(Math.floor(300_000 / part.length));
    const from = performance.now();
    findCredentials(text);
    expect(performance.now() - from, part).toBeLessThan(1_500);
  }
});
