import { expect, test } from "vitest";
import type { Doc, Edit, Plain } from "../document/types.ts";
import { chooseForEntry, chooseForNode, OAUTH } from "./sign-in.ts";

const node = (id: string, content: string) => ({ id, type: "cli", data: { title: id, content } });
const PLAIN: Plain = {
  secrets: ["OTHER"],
  nodes: [node("a", "curl https://api.acme.io/items"), node("b", "curl https://api.acme.io/users")],
};

function edited(plain: Plain, ...edits: Edit[]): Plain {
  return edits.reduce((before, edit) => {
    const applied = edit.apply(before, {} as Doc);
    if (!applied.ok) throw new Error(applied.error);
    return applied.plain;
  }, plain);
}

const authOf = (plain: Plain, at = 0) => (plain.nodes as { data: Plain }[])[at]!.data.auth;

test("a sign-in names a secret after the host, and another choice takes it out again", () => {
  const bearer = edited(PLAIN, chooseForNode("a", { type: "bearer" }));
  expect(authOf(bearer)).toEqual({ type: "bearer", token: "${ACME_TOKEN}" });
  expect(bearer.secrets).toEqual(["OTHER", "ACME_TOKEN"]);
  const basic = edited(bearer, chooseForNode("a", { type: "basic" }));
  expect(authOf(basic)).toEqual({ type: "basic", username: "", password: "${ACME_PASSWORD}" });
  expect(basic.secrets).toEqual(["OTHER", "ACME_PASSWORD"]);
  expect(edited(basic, chooseForNode("a", { name: "" }))).toEqual(PLAIN);
});

test("a secret that another node names is kept", () => {
  const both = edited(PLAIN, chooseForNode("a", { type: "bearer" }), chooseForNode("b", { type: "bearer" }));
  expect(edited(both, chooseForNode("a", { name: "" })).secrets).toEqual(["OTHER", "ACME_TOKEN"]);
});

test("OAuth 2.0 is an entry of the workflow, which other nodes can choose, and goes if it is not filled in", () => {
  const oauth = edited(PLAIN, chooseForNode("a", { type: OAUTH }));
  expect(oauth.auth).toEqual({
    acme: { type: OAUTH, tokenUrl: "", clientId: "", clientSecret: "${ACME_CLIENT_SECRET}" },
  });
  expect(authOf(oauth)).toBe("acme");
  expect(oauth.secrets).toEqual(["OTHER", "ACME_CLIENT_SECRET"]);
  expect(edited(oauth, chooseForNode("a", { type: "netrc" }), chooseForNode("a", { name: "" }))).toEqual(PLAIN);
  const shared = edited(oauth, chooseForNode("b", { name: "acme" }), chooseForNode("a", { name: "" }));
  expect(shared.auth).toEqual(oauth.auth);
  expect(authOf(shared, 1)).toBe("acme");
  const another = edited(oauth, chooseForNode("b", { type: OAUTH }));
  expect(Object.keys(another.auth as Plain)).toEqual(["acme", "acme_2"]);
});

test("an entry that is filled in stays when no node names it", () => {
  const auth = { acme: { type: OAUTH, tokenUrl: "https://acme.io/token", clientId: "me", clientSecret: "${OTHER}" } };
  const plain = edited({ ...PLAIN, auth }, chooseForNode("a", { name: "acme" }), chooseForNode("a", { name: "" }));
  expect(plain).toEqual({ ...PLAIN, auth });
});

test("an entry of the workflow gets its type first, and its secrets follow", () => {
  const github = edited(PLAIN, chooseForEntry("git hub", "bearer"));
  expect(github.auth).toEqual({ "git hub": { type: "bearer", token: "${GIT_HUB_TOKEN}" } });
  const basic = edited(github, chooseForEntry("git hub", OAUTH));
  expect(basic.secrets).toEqual(["OTHER", "GIT_HUB_CLIENT_SECRET"]);
  expect(edited(basic, chooseForEntry("git hub", undefined))).toEqual(PLAIN);
});
