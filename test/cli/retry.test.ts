// `runs retry`: what is kept of a run, what runs again, what is rejected. Side effects are lines in a file.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Folder, folder, inARow } from "./curlew.ts";

/** Every node writes its name to `log`. One that the file `bad` names fails. */
const says = (name: string): string => `echo ${name} >> log; echo "of ${name}"; ! grep -qx ${name} bad`;
const row = (...names: string[]): string => inARow(Object.fromEntries(names.map((name) => [name, says(name)])));

function world(files: Record<string, string>, bad = ""): Folder & { log(): string } {
  const it = folder({ bad: `${bad}\n`, log: "", ...files });
  return {
    ...it,
    log: () => {
      const text = it.read("log").trim().replaceAll("\n", " ");
      it.write("log", "");
      return text;
    },
  };
}

const shown = async (it: Folder, run = "latest") => JSON.parse((await it.run(`runs show ${run} --json`)).stdout);
const ids = async (it: Folder): Promise<string[]> =>
  JSON.parse((await it.run("runs --json")).stdout).map((run: { id: string }) => run.id);

test("a retry runs the failed node and those after it, and keeps the rest; the original run may then be removed", async () => {
  const big = `head -c 100000 /dev/zero | tr '\\0' x; ${says("a")}`;
  const it = world(
    {
      "r.flow.yaml": inARow({
        a: big,
        b: `${says("b")} && printf %s "\${1}" | wc -c`,
        c: 'echo c >> log; echo "${1}" | tail -n 1',
      }),
    },
    "b",
  );
  expect(await it.run("run r.flow.yaml")).toMatchObject({ code: 1 });
  expect(it.log()).toBe("a b");
  it.write("bad", "\n");
  const again = await it.run("runs retry latest");
  expect(again).toMatchObject({ code: 0, stdout: "100004\n" });
  expect(again.stderr).toContain("a kept\n");
  expect(it.log()).toBe("b c");

  const [newest, first] = await ids(it);
  const view = await shown(it);
  expect(view).toMatchObject({ status: "succeeded", again: { run: first } });
  expect(view.nodes[0]).toMatchObject({
    status: "succeeded",
    kept: { run: first },
    attempts: [{ kept: true, exitCode: 0, stdout: { bytes: 100_005 } }],
  });
  expect((await it.run("runs")).stdout).toContain(`(again, after ${first!.slice(0, 10)})`);

  await it.run(["runs", "rm", first!]);
  expect((await it.run(`runs logs ${newest} a`)).stdout).toHaveLength(100_005);
  expect(await it.run(["runs", "retry", newest!, "--from", "b", "--quiet"])).toMatchObject({
    code: 0,
    stdout: "100004\n",
  });
  expect(it.log()).toBe("b c");
  expect((await shown(it)).nodes[0]).toMatchObject({ kept: { run: first } });
});

test("a retry of a retry, of a cancelled run, and of a lost one", async () => {
  const it = world({ "r.flow.yaml": row("a", "b", "c") }, "b");
  await it.run("run r.flow.yaml");
  it.write("bad", "c\n");
  expect(await it.run("runs retry latest")).toMatchObject({ code: 1 });
  it.write("bad", "\n");
  expect(await it.run("runs retry latest --quiet")).toEqual({ code: 0, stdout: "of c\n", stderr: "" });
  expect(it.log()).toBe("a b b c c");

  it.write(
    "s.flow.yaml",
    inARow({ a: says("a"), waits: "echo waits >> log; [ -e go ] || exec sleep 300", b: says("b") }),
  );
  const cancelled = it.start("run s.flow.yaml");
  await cancelled.says("waits started");
  cancelled.process.kill("SIGINT");
  expect((await cancelled.done).code).toBe(130);
  const lost = it.start("runs retry latest");
  await lost.says("waits started");
  lost.process.kill("SIGKILL");
  await lost.done;
  expect(await it.run("runs retry latest")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[run-not-ended]"),
  });
  expect(await it.run("runs cancel latest")).toMatchObject({ code: 0 });
  it.write("go", "");
  expect(await it.run("runs retry latest --quiet")).toMatchObject({ code: 0, stdout: "of b\n" });
  expect(it.log()).toMatch(/^a (waits ){2,3}b$/);
});

test("a succeeded run is retried whole, or from a node on; a failed one whole with --all", async () => {
  const it = world({ "r.flow.yaml": row("a", "b", "c") });
  await it.run("run r.flow.yaml");
  expect(await it.run("runs retry latest --from b")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("a b c b c");
  const whole = await it.run("runs retry latest");
  expect(whole.stderr).toContain("succeeded, so all of it runs again.");
  expect(it.log()).toBe("a b c");
  it.write("bad", "c\n");
  await it.run("run r.flow.yaml");
  await it.run("runs retry latest --all");
  expect(it.log()).toBe("a b c a b c");
  expect((await shown(it)).again).toBeUndefined();
});

const loop = (more = ""): string => `curlew: 1
name: Loop
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 4${more} } }
  - { id: get, type: cli, data: { title: Get, content: 'echo "get\${i}" >> log; echo "\${i}"' } }
  - { id: put, type: cli, data: { title: Put, content: 'echo "put\${i}" >> log; echo "\${1}"; ! grep -qx "\${i}" bad' } }
  - { id: all, type: accumulator, data: { title: All, variableName: all } }
  - { id: done, type: loop-end, data: { title: Done } }
  - { id: last, type: cli, data: { title: Last, content: "echo last >> log; tr '\\\\n' ,", stdin: { source: parents-all } } }
edges: [ pages -> get -> put -> all -> done -> last ]
`;

test("a loop continues in the iteration that failed; from an iteration on, those before it are kept", async () => {
  const it = world({ "l.flow.yaml": loop() }, "3");
  expect((await it.run("run l.flow.yaml")).code).toBe(1);
  expect(it.log()).toBe("get1 put1 get2 put2 get3 put3");
  it.write("bad", "\n");
  expect(await it.run("runs retry latest --quiet")).toEqual({ code: 0, stdout: "1,2,3,4\n", stderr: "" });
  expect(it.log()).toBe("put3 get4 put4 last");
  expect(await it.run("runs retry latest --quiet --from put[2]")).toMatchObject({ code: 0, stdout: "1,2,3,4\n" });
  expect(it.log()).toBe("put3 get4 put4 last");
  expect(await it.run("runs retry latest --quiet --from pages[3]")).toMatchObject({ code: 0, stdout: "1,2,3,4\n" });
  expect(it.log()).toBe("get4 put4 last");
  expect(await it.run("runs retry latest --quiet --from done")).toMatchObject({ code: 0, stdout: "1,2,3,4\n" });
  expect(it.log()).toBe("last");
  expect(await it.run("runs retry latest --quiet --from put")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("put1 get2 put2 get3 put3 get4 put4 last");
});

test("retry runs the recorded document, or the fixed file with --current, and says which", async () => {
  const it = world({ "r.flow.yaml": inARow({ a: says("a"), b: "echo b >> log; curl-is-not-here", c: says("c") }) });
  await it.run("run r.flow.yaml");
  it.write("r.flow.yaml", inARow({ a: `${says("a")} # fixed too`, b: says("b"), c: says("c") }));
  const recorded = await it.run("runs retry latest");
  expect(recorded).toMatchObject({ code: 1, stderr: expect.stringContaining("warning[file-changed]") });
  expect(it.log()).toBe("a b b");
  const retried = await it.run("runs retry latest --current");
  expect(retried).toMatchObject({ code: 0, stdout: "of c\n" });
  expect(retried.stderr).toContain("warning[kept-changed]");
  expect(retried.stderr).toContain("a changed in the file since");
  expect(it.log()).toBe("b c");
  // A new node before one that had succeeded: the results after it are not kept.
  it.write("r.flow.yaml", row("a", "new", "b", "c"));
  const new_ = await it.run("runs retry latest --current --from c");
  expect(new_.stderr).toContain("b succeeded, but can't be reused");
  expect(it.log()).toBe("new b c");
});

test("run FILE --from uses the last run of that file, with its inputs and the current file", async () => {
  const it = world({ "r.flow.yaml": inARow({ a: 'echo "${n}"', b: says("b") }, "inputs: { n: { type: integer } }\n") });
  expect(await it.run("run r.flow.yaml --from b")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[no-previous-run]"),
  });
  await it.run("run r.flow.yaml --input n=7");
  it.write("r.flow.yaml", inARow({ a: 'echo "${n}"', b: 'echo "b of ${1}"' }, "inputs: { n: { type: integer } }\n"));
  expect(await it.run("run r.flow.yaml --from b --quiet")).toEqual({ code: 0, stdout: "b of 7\n", stderr: "" });
  expect(await it.run("run r.flow.yaml --from b --input n=8")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[from-and-input]"),
  });
});

test.each([
  ["gett", 'There is no node "gett". Did you mean "get"?'],
  ["get[9]", 'the loop "pages" had begun 4 iterations, counted from 0'],
  ["last[1]", '"last" is in no loop'],
  ["last/gate", '"last" is not a subflow'],
])("--from %s is refused, and nothing is on record", async (name, message) => {
  const it = world({ "l.flow.yaml": loop() });
  await it.run("run l.flow.yaml");
  const refused = await it.run(["runs", "retry", "latest", "--from", name]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("error[from-unknown]");
  expect(refused.stderr).toContain(message);
  expect(await ids(it)).toHaveLength(1);
});

test("a run cannot start at a node on a branch not taken, and keeps the other branch's results", async () => {
  const it = world({
    "b.flow.yaml": `curlew: 1
name: Branch
nodes:
  - { id: a, type: cli, data: { title: A, content: "${says("a").replaceAll('"', '\\"')}" } }
  - { id: ask, type: if, data: { title: Ask, content: "true" } }
  - { id: yes, type: cli, data: { title: Yes, content: "${says("yes").replaceAll('"', '\\"')}" } }
  - { id: no, type: cli, data: { title: No, content: "${says("no").replaceAll('"', '\\"')}" } }
edges: [ a -> ask, "ask:true -> yes", "ask:false -> no" ]
finally: [ clean ]
`.replace("edges", `  - { id: clean, type: cli, data: { title: Clean, content: "echo clean >> log" } }\nedges`),
  });
  await it.run("run b.flow.yaml");
  expect(it.log()).toBe("a yes clean");
  expect(await it.run("runs retry latest --from no")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[from-skipped]"),
  });
  expect(await it.run("runs retry latest --from yes")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("yes clean");
});

test("a result that contains a secret is no longer there: the retry is rejected, or the node runs again", async () => {
  const it = world(
    {
      "s.flow.yaml": `curlew: 1
name: Secret
nodes:
  - { id: fetch, type: cli, data: { title: Fetch, content: "echo fetch >> log; echo to-ken-$(date +%N)-x" } }
  - { id: token, type: variable, data: { title: Token, variableName: token, secret: true } }
  - { id: post, type: cli, data: { title: Post, content: 'echo post >> log; printf %s "\${token}" | wc -c' } }
  - { id: call, type: cli, data: { title: Call, content: 'echo call >> log; printf "%.7s" "\${token}" > seen; ! grep -qx call bad' } }
edges: [ fetch -> token -> post -> call ]
`,
    },
    "call",
  );
  await it.run("run s.flow.yaml");
  expect(it.log()).toBe("fetch post call");
  it.write("bad", "\n");
  const refused = await it.run("runs retry latest");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("error[kept-secret-missing]") });
  expect(refused.stderr).toContain("--rerun");
  expect(await it.run("runs retry latest --rerun fetch --rerun token")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("fetch call");
  expect(it.read("seen")).toBe("to-ken-");
});

test("a subflow continues inside, or from one of its nodes", async () => {
  const it = world(
    {
      "inner.flow.yaml": row("x", "y", "z"),
      "outer.flow.yaml": `curlew: 1
name: Outer
nodes:
  - { id: a, type: cli, data: { title: A, content: "echo a >> log" } }
  - { id: sub, type: subflow, data: { title: Sub, workflow: inner.flow.yaml } }
edges: [ a -> sub ]
`,
    },
    "y",
  );
  await it.run("run outer.flow.yaml");
  expect(it.log()).toBe("a x y");
  it.write("bad", "\n");
  expect(await it.run("runs retry latest --quiet")).toEqual({ code: 0, stdout: "of z\n", stderr: "" });
  expect(it.log()).toBe("y z");
  expect(await it.run("runs retry latest --from sub/z --quiet")).toMatchObject({ code: 0, stdout: "of z\n" });
  expect(it.log()).toBe("z");
  expect(await it.run("runs retry latest --from sub")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("x y z");
});

test("an unknown node of a subflow is rejected before a run starts, with the place and the nearest name", async () => {
  const subflow = (id: string, file: string) => `curlew: 1
name: ${id}
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 2 } }
  - { id: ${id}, type: subflow, data: { title: Sub, workflow: ${file} } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [ pages -> ${id} -> end ]
`;
  const it = world({
    "inner.flow.yaml": row("fetch", "store"),
    "middle.flow.yaml": subflow("deep", "inner.flow.yaml"),
    "outer.flow.yaml": subflow("sub", "middle.flow.yaml"),
  });
  expect(await it.run("run outer.flow.yaml")).toMatchObject({ code: 0 });
  const before = await ids(it);
  it.log();
  for (const command of ["runs retry latest"]) {
    const refused = async (name: string, message: string) => {
      const { code, stdout, stderr } = await it.run([...command.split(" "), "--from", name]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`error[from-unknown]: ${message}`);
    };
    await refused(
      "sub/dep",
      'In the subflow "sub[0]" (middle.flow.yaml:5): There is no node "dep". Did you mean "deep"?',
    );
    await refused("sub/other", 'In the subflow "sub[0]" (middle.flow.yaml:3): There is no node "other".');
    await refused(
      "sub/deep[7]",
      'In the subflow "sub[0]" (middle.flow.yaml:5): "deep[7]": the loop "pages" had begun 2 iterations',
    );
    await refused(
      "sub[1]/deep[1]/stor",
      'In the subflow "sub[1]/deep[1]" (inner.flow.yaml:5): There is no node "stor". Did you mean "store"?',
    );
  }
  expect([await ids(it), it.log()]).toEqual([before, ""]);
  // Without an index the first iteration is meant, inside subflows too.
  expect(await it.run("runs retry latest --from sub/deep/store --quiet")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("store fetch store fetch store fetch store");
});

test("an approved command is asked again if it runs again", async () => {
  const gate = (id: string): string =>
    `  - { id: ${id}, type: cli, data: { title: ${id}, needsUserApproval: true, content: ${JSON.stringify(says(id))} } }\n`;
  const it = world(
    { "g.flow.yaml": `curlew: 1\nname: Gates\nnodes:\n${gate("a")}${gate("b")}edges: [ a -> b ]\n` },
    "b",
  );
  expect((await it.run("run g.flow.yaml --yes")).code).toBe(1);
  it.write("bad", "\n");
  const waits = await it.run("runs retry latest");
  expect(waits).toMatchObject({ code: 3 });
  expect(waits.stderr).toContain("b waits for an approval");
  expect(it.log()).toBe("a b");
  expect(await it.run("approve latest b")).toMatchObject({ code: 0 });
  expect(it.log()).toBe("b");
  expect(existsSync(join(it.path, "log"))).toBe(true);
});
