import { expect, test } from "vitest";
import { begun, broke, told } from "../../../test/web/told-run.ts";
import { problemsOf, problemsWords } from "./problems.ts";

const TWO = `curlew: 1
name: t
nodes:
  - { id: may, run: "false", continueOnError: true }
  - { id: must, run: "false" }
`;

test("a failure that the workflow handles is not counted among the problems", () => {
  const { model, at } = told(TWO);
  at(0, begun("may"), broke("may"));
  expect(problemsOf(model)).toMatchObject([{ path: "may", level: "handled" }]);
  expect(problemsWords(model)).toBe("Problems · 1 handled");
  at(1, begun("must"), broke("must"));
  expect(problemsOf(model).map(({ level }) => level)).toEqual(["handled", "failure"]);
  expect(problemsWords(model)).toBe("Problems 1");
});
