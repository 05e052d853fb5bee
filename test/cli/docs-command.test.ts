// `curlew docs` and `curlew explain` read the pages that come with the package.

import { expect, test } from "vitest";
import { folder } from "./curlew.ts";

test("docs lists the pages, prints one, and suggests a name for a misspelt one", async () => {
  const it = folder();
  const list = await it.run("docs");
  expect(list).toMatchObject({ code: 0, stderr: "" });
  expect(list.stdout).toMatch(/^reference\/templates +\S/m);
  expect(list.stdout).not.toMatch(/^adr\//m);
  expect((await it.run("docs templates")).stdout).toMatch(/^# /m);
  const missed = await it.run("docs tempaltes");
  expect(missed.code).toBe(2);
  expect(missed.stderr).toContain("Did you mean: curlew docs templates");
});

test("explain tells what a code means and where to read more; an unknown code gets a suggestion", async () => {
  const it = folder();
  for (const code of ["timed-out", "error[bad-duration]", "value-url"]) {
    const explained = await it.run(["explain", code]);
    expect(explained).toMatchObject({ code: 0, stderr: "" });
    expect(explained.stdout).toContain("Read more: curlew docs reference/");
  }
  const missed = await it.run("explain timed-uot");
  expect(missed.code).toBe(2);
  expect(missed.stderr).toContain("Did you mean: curlew explain timed-out");
});
