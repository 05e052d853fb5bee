import { expect, it } from "vitest";
import { relativeWorkflow, resolvedWorkflow } from "./subflow.ts";

it.each([
  ["a.flow.yaml", "parts/b.flow.yaml", "parts/b.flow.yaml"],
  ["x/a.flow.yaml", "x/b.flow.yaml", "b.flow.yaml"],
  ["x/y/a.flow.yaml", "x/z/b.flow.yaml", "../z/b.flow.yaml"],
  ["x/a.flow.yaml", "b.flow.yaml", "../b.flow.yaml"],
])("names a workflow from %s to %s and back", (from, to, name) => {
  expect(relativeWorkflow(from, to)).toBe(name);
  expect(resolvedWorkflow(from, name)).toBe(to);
  expect(resolvedWorkflow(from, `./${name}`)).toBe(to);
});
