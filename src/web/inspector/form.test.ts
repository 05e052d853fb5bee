import { describe, expect, it } from "vitest";
import { NodeType } from "../../workflow/node-data.ts";
import { dataOf } from "../../workflow/schema.ts";
import { fieldOf, formOf } from "./form.ts";

const KINDS = Object.values(NodeType);
/** Fields that one control edits together. */
const TOGETHER: Record<string, string[]> = {
  iterations: ["iterations", "start", "items", "as", "loopVariable", "while"],
};

describe("forms", () => {
  it.each(KINDS)("show every field of a %s node exactly once", (type) => {
    const shown = formOf(type).flatMap(({ sections }) =>
      sections.flatMap(({ fields }) => fields.map(({ path }) => path)),
    );
    const first = [
      ...new Set(shown.flatMap(([key = ""]) => (type === "loop-start" ? (TOGETHER[key] ?? [key]) : [key]))),
    ];
    expect(new Set(first)).toEqual(new Set(Object.keys(dataOf[type].shape)));
    const whole = shown.map((path) => path.join("."));
    expect(new Set(whole).size).toBe(whole.length);
  });

  it.each(KINDS)("show every member of the maps of a %s node that are shown in parts", (type) => {
    const paths = formOf(type).flatMap(({ sections }) =>
      sections.flatMap(({ fields }) => fields.map(({ path }) => path)),
    );
    for (const [key, schema] of Object.entries(dataOf[type].shape)) {
      if (paths.some((path) => path.length === 1 && path[0] === key) || !paths.some(([first]) => first === key))
        continue;
      const shape = (schema as unknown as { _zod: { def: { innerType: { _zod: { def: { shape: object } } } } } })._zod
        .def;
      const members = paths.filter(([first]) => first === key).map((path) => path[1]);
      expect(new Set(members), key).toEqual(new Set(Object.keys(shape.innerType._zod.def.shape)));
      expect(new Set(members).size, key).toBe(members.length);
    }
  });

  it("take help, choices and the kind of control from the schema", () => {
    expect(fieldOf("cli", "safetyLevel")).toMatchObject({
      control: "choice",
      options: ["safe", "advanced"],
      usual: "safe",
    });
    expect(fieldOf("cli", "timeout")).toMatchObject({
      control: "duration",
      help: expect.stringMatching(/^Ends the attempt after this long\.$/),
    });
    expect(fieldOf("cli", "successExitCodes")).toMatchObject({ control: "codes", usual: "[0]" });
    expect(fieldOf("cli", "env.exposeParents")).toMatchObject({
      control: "switch",
      label: "Export the parents' values",
    });
    expect(fieldOf("cli", "rateLimit.limit").control).toBe("whole");
    expect(fieldOf("llm", "temperature").control).toBe("number");
    expect(fieldOf("cli", "idleTimeout").label).toBe("Idle timeout");
  });

  it("have help for every field but the few that say themselves what they are", () => {
    const silent = KINDS.flatMap((type) =>
      formOf(type).flatMap(({ sections }) =>
        sections.flatMap(({ fields }) =>
          fields.filter(({ help }) => help === "").map(({ path }) => `${type}.${path.join(".")}`),
        ),
      ),
    );
    expect(silent).toEqual([]);
  });
});
