// The words of the command line: help, misspelt commands and flags, completions, versions.

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "./curlew.ts";

const COMMANDS = [
  "run",
  "validate",
  "new",
  "fmt",
  "graph",
  "runs",
  "runs list",
  "runs show",
  "runs logs",
  "runs cancel",
  "runs resume",
  "runs retry",
  "runs rm",
  "approvals",
  "approve",
  "reject",
  "secrets",
  "secrets list",
  "secrets set",
  "secrets rm",
  "audit",
  "audit list",
  "audit verify",
  "schema",
  "completion",
];

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect(await folder().run("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("without arguments it prints help, with exit codes and examples", async () => {
  const ran = await folder().run([]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const word of ["Usage: curlew", "Examples:", "130  after Ctrl-C", "validate [options] <files...>"])
    expect(ran.stdout).toContain(word);
});

test.each(COMMANDS)("curlew %s --help has its own example, and fits a terminal", async (command) => {
  const ran = await folder().run(`${command} --help`);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain(`Usage: curlew ${command}`);
  expect(ran.stdout).toMatch(new RegExp(`Examples:\\n(.*\\n)*  .*curlew ${command.replace(" list", "")}`));
  for (const line of ran.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

const misspelt = (args: string, code: string, says: string) =>
  test(`curlew ${args} is rejected`, async () => {
    const ran = await folder().run(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(new RegExp(`^curlew: error\\[${code}\\]: `));
    expect(ran.stderr).toContain(says);
    expect(ran.stderr).toContain("  help: ");
  });
test.each(["cache", "service"])("curlew %s alone shows what there is, as an error", async (name) => {
  const ran = await folder().run(name);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("Commands:");
  expect(ran.stderr).not.toContain("error[");
});
misspelt("rnu x", "unknown-command", '"curlew" has no command "rnu". Did you mean "run"?');
misspelt("runs shw x", "unknown-command", '"curlew runs" has no command "shw". Did you mean "show"?');
misspelt("run x --jsno", "unknown-option", '"curlew run" has no option "--jsno". Did you mean "--json"?');
misspelt("run x --dryrun", "unknown-option", 'Did you mean "--dry-run"?');
misspelt("runs logs x --follow", "unknown-option", 'Did you mean "-f"?');
misspelt("run", "missing-argument", '"curlew run" needs FILE.');
misspelt("run a b", "too-many-arguments", "a, b");
misspelt("run a --input", "missing-value", "--input");
misspelt("runs logs x --tail many", "invalid-value", '"many" is not an integer from 0.');
misspelt("runs --limit abc", "invalid-value", '--limit: "abc" is not an integer from 1.');
misspelt("audit -n x", "invalid-value", '-n: "x" is not an integer from 1.');
misspelt("serve --port 99999", "invalid-value", '--port: "99999" is not a port (0 to 65535).');
misspelt("--home x runs", "unknown-option", "help: Write it after the command: curlew COMMAND --home");
misspelt("fmt a --short --long", "conflicting-options", "--short and --long");
misspelt("completion tcsh", "unknown-shell", "Known shells: bash, zsh, fish, powershell.");

test("a path that does not fit is named with its reason", async () => {
  const it = folder({ "a.flow.yaml": "", "sub/b.flow.yaml": "" });
  const says = async (args: string[], code: string, ...expected: string[]) => {
    const ran = await it.run(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    for (const text of [`error[${code}]: `, ...expected]) expect(ran.stderr).toContain(text);
    expect(ran.stderr).not.toMatch(/E[A-Z]{4,}:/);
  };
  await says(["run", ""], "missing-argument", "The name of the file is empty.", "There is: a.flow.yaml.");
  await says(["new", "no/such/x"], "cannot-write", "The folder no/such does not exist.");
  await says(["new", "a.flow.yaml/x"], "cannot-write", "a.flow.yaml is not a folder.");
  await says(["serve", "a.flow.yaml"], "cannot-serve", "a.flow.yaml is not a folder.", "help: ");
  await says(["serve", "none"], "cannot-serve", "none does not exist.");
  symlinkSync("circle", join(it.path, "circle"));
  await says(["serve", "circle"], "cannot-serve", "lead in a circle.");
  await says(
    ["import", "curl https://x.test", "--to", "sub"],
    "bad-name",
    '"sub" is not a valid name for the workflow.',
  );
  await says(["import", "curl"], "import-curl", "it has no URL");
  await says(["import", "curl --compressed"], "import-curl", "it has no URL");
  expect(await it.run(["import", "curl --url https://x.test"])).toMatchObject({ code: 0 });
});

test("completions offer commands, options, workflow files and runs", async () => {
  const it = folder({ "a.flow.yaml": "", "flows/b.flow.yaml": "", "other.yaml": "" });
  const offered = async (...words: string[]) =>
    (await it.run(["complete", "--", ...words])).stdout.split("\n").map((line) => line.split("\t")[0]);
  expect(await offered("va")).toContain("validate");
  expect(await offered("runs", "")).toContain("logs");
  expect(await offered("run", "x", "--inp")).toEqual(expect.arrayContaining(["--input", "--input-file"]));
  const files = await offered("run", "");
  expect(files).toEqual(expect.arrayContaining(["a.flow.yaml", "flows/b.flow.yaml"]));
  expect(files).not.toContain("other.yaml");
  expect(await offered("runs", "show", "")).toContain("latest");
});

test.each(["bash", "zsh", "fish", "powershell"])("%s gets a completion script", async (shell) => {
  const ran = await folder().run(`completion ${shell}`);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("curlew complete");
});
