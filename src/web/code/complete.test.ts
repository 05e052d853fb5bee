import { describe, expect, it } from "vitest";
import { explain, type Grounds, offersAt } from "./complete.ts";

const HELD: Record<string, string> = {
  "1": '{"items":[{"id":7,"name":"x"}],"total":3}',
  "inputs[0]": '{"items":[{"id":7}],"total":3}',
};
const template: Grounds = {
  mode: "template",
  names: [
    { name: "1", kind: "parent", from: 'value of "Get"' },
    { name: "repo", kind: "input", from: "input, string" },
    { name: "TOKEN", kind: "secret", from: "secret", secret: true },
  ],
  last: ({ name }) => HELD[name],
};
const expression: Grounds = {
  mode: "expression",
  names: [
    { name: "inputs[0]", kind: "parent", from: 'value of "Get"' },
    { name: "exitCode", kind: "expression", from: "exit code" },
    { name: "vars.total", kind: "variable", from: "Variable" },
  ],
  last: ({ name }) => HELD[name],
};

/** `¦` marks the cursor. */
function labels(grounds: Grounds, marked: string, always = false): string[] | undefined {
  const at = marked.indexOf("¦");
  return offersAt(marked.replace("¦", ""), at, grounds, always)?.offers.map(({ label }) => label);
}
function taken(grounds: Grounds, marked: string, label: string): string {
  const at = marked.indexOf("¦");
  const text = marked.replace("¦", "");
  const offers = offersAt(text, at, grounds);
  const one = offers?.offers.find((offer) => offer.label === label);
  return text.slice(0, offers!.from) + one!.insert + text.slice(offers!.to);
}

describe("completion in a template", () => {
  it("offers names after $ and ${, and closes the brace only where none is", () => {
    expect(labels(template, "curl $¦")).toEqual(["1", "repo", "TOKEN"]);
    expect(taken(template, "curl $¦", "repo")).toBe("curl ${repo}");
    expect(taken(template, "curl ${re¦", "repo")).toBe("curl ${repo}");
    expect(taken(template, "curl ${re¦}/x", "repo")).toBe("curl ${repo}/x");
    expect(labels(template, "echo $$¦")).toBeUndefined();
    expect(labels(template, "echo hello¦")).toBeUndefined();
  });

  it("offers the members that the last value had, and never a secret's", () => {
    expect(labels(template, "${1.¦}")).toEqual(["items", "total"]);
    expect(labels(template, "${1.items[0].¦}")).toEqual(["id", "name"]);
    expect(taken(template, "x ${1.items[0].n¦", "name")).toBe("x ${1.items[0].name}");
    expect(labels(template, "${TOKEN.¦}")).toBeUndefined();
    expect(labels(template, "${repo.¦}")).toBeUndefined();
  });

  it("offers filters after the bar", () => {
    expect(labels(template, "${1|¦}")).toEqual(["json", "uri", "b64", "int", "arg", "sh", "file", 'default("")']);
    expect(taken(template, "${1.total|j¦}", "json")).toBe("${1.total|json}");
    expect(taken(template, "${1.total|d¦", 'default("")')).toBe('${1.total|default("")}');
  });

  it("offers what state, failure, and run have", () => {
    const names = ["state.last_id", "state.etag", "failure.body"].map((name) => ({ name, kind: "fact", from: "" }));
    expect(labels({ ...template, names }, "${state.¦}")).toEqual(["state.last_id", "state.etag"]);
    expect(taken({ ...template, names }, "x ${state.la¦", "state.last_id")).toBe("x ${state.last_id}");
    expect(labels({ ...template, names }, "${failure.body.¦}")).toBeUndefined();
  });
});

describe("completion in an expression", () => {
  it("offers names, what lies below them, and members", () => {
    expect(labels(expression, "ex¦")).toEqual(["inputs[0]", "exitCode", "vars.total"]);
    expect(labels(expression, "vars.¦")).toEqual(["vars.total"]);
    expect(taken(expression, "1 = vars.t¦", "vars.total")).toBe("1 = vars.total");
    expect(labels(expression, "inputs[0].¦")).toEqual(["items", "total"]);
    expect(labels(expression, "inputs[0].items[0].¦")).toEqual(["id"]);
  });

  it("offers functions after $, ready to be given their arguments", () => {
    expect(labels(expression, "$¦")).toContain("$count");
    expect(taken(expression, "exitCode = 0 and $cou¦", "$count")).toBe("exitCode = 0 and $count(");
  });

  it("offers nothing inside a text, and at an empty place only when asked", () => {
    expect(labels(expression, 'exitCode = "ex¦')).toBeUndefined();
    expect(labels(expression, "¦")).toBeUndefined();
    expect(labels(expression, "¦", true)).toHaveLength(3);
  });
});

describe("references", () => {
  it("are shown with their source and last value, secrets hidden", () => {
    const told = explain("${1.total} ${1.items} ${repo} ${TOKEN} ${nobody} $${text}", template);
    expect(told.map(({ known, value }) => [known?.from, value])).toEqual([
      ['value of "Get"', "3"],
      ['value of "Get"', '[{"id":7,"name":"x"}]'],
      ["input, string", undefined],
      ["secret", "••••••"],
      [undefined, undefined],
    ]);
  });
});
