// Text from files, values and commands never controls a terminal: on a real (pseudo) terminal and in piped output.

import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { eventsIn, type Folder, folder } from "../cli/curlew.ts";
import { onTerminal } from "../cli/on-terminal.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Clipboard, title, screen, cursor, device strings, reports, 8-bit controls, directions, overwriting earlier text. */
const ATTACKS = [
  "\u001b]52;c;b3duZWQ=\u0007",
  "\u001b]0;OWNEDTITLE\u001b\\",
  "\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007",
  "\u001bPq#0OWNEDDCS\u001b\\",
  "\u001b_OWNEDAPC\u001b\\",
  "\u001b[2J\u001b[31337;1H\u001b[6n\u001b[?1049h",
  "\u001bc\u001b7\u001b#8",
  "\u009b2J\u009d0;OWNEDC1\u009c\u0090OWNEDC1\u009c",
  "\u202eevil\u2066\u200f\u061c",
  "safe\rOWNEDCR\b\b\u007f",
  "\u001b]0;OWNEDOPEN",
];
const ATTACK = `<b>&"'${ATTACKS.join(" ")}`;
const text = JSON.stringify;
/** YAML reads JSON's strings, and these escapes. */
const said = text(ATTACK)
  .replaceAll("\u007f", "\\u007f")
  .replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const printf = (bytes: string) =>
  [...Buffer.from(bytes)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

const DOCUMENT = `curlew: 1
name: ${said}
description: ${said}
inputs: { x: { type: string, default: ${said}, description: ${said} } }
nodes:
  - id: talks
    type: cli
    data: { title: ${said}, content: ${text(`printf '${printf(`${ATTACK}\n\u001b[31mred\u001b[0m\n`)}'; printf '${printf(ATTACK)}' >&2`)} }
  - id: hands
    type: text
    data: { title: ${said}, content: "\${1}\${x}" }
  - id: fails
    type: cli
    data: { title: ${said}, content: ${text(`# ${ATTACK}\nprintf '${printf(ATTACK)}' >&2; exit 3`).replaceAll(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)} }
edges: [ talks -> hands -> fails ]
`;

async function screenOf(it: Folder, args: string): Promise<string> {
  return (await onTerminal(it, args, {}, 100, 30).done).stdout;
}

/** The sequences of Curlew's live view. Any other that is not a colour is an attack. */
const OWN = /\u001b\[(?:[0-9;:]*m|\?(?:25|2026)[lh]|[0-9]*[AGK]|[0-9]?[JK])/g;

function check(screen: string): void {
  expect(screen).not.toBe("");
  const left = screen
    .replaceAll(OWN, "")
    .replaceAll("\r\n", "\n")
    .replaceAll(/\r+(?=\n|$)/g, "");
  const at = left.search(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  expect(at < 0 ? "" : text(left.slice(Math.max(0, at - 80), at + 30))).toBe("");
}

test("a run, its history, its logs and its graph on a terminal", async () => {
  const it = folder({ "t.flow.yaml": DOCUMENT });
  const run = await screenOf(it, "run t.flow.yaml");
  check(run);
  expect(run).toContain("exit-non-zero");
  for (const args of [
    "runs",
    "runs show latest",
    "runs logs latest",
    "runs logs latest talks",
    "runs logs latest fails",
    "graph t.flow.yaml",
    "run t.flow.yaml --dry-run",
    "runs show latest --json",
  ])
    check(await screenOf(it, args));
  // Colours of a command's output pass, and end with the line.
  expect(await screenOf(it, "runs logs latest talks")).toContain("\u001b[31mred\u001b[0m");
  expect(await screenOf(it, "runs logs latest")).toContain("\u001b[31mred\u001b[0m");
});

test("a result on a terminal loses its control characters; a pipe gets every byte", async () => {
  const it = folder({ "t.flow.yaml": DOCUMENT.replace(/ {2}- id: hands[\s\S]*/, "") });
  const screen = await screenOf(it, "run t.flow.yaml --quiet");
  check(screen);
  expect(screen).toContain("\u001b[31mred");
  const piped = await it.run("run t.flow.yaml --quiet");
  expect(piped.stdout).toBe(`${ATTACK}\n\u001b[31mred\u001b[0m\n`);
  const logs = await it.run("runs logs latest talks");
  expect(logs.stdout).toBe(`${ATTACK}\n\u001b[31mred\u001b[0m\n`);
  expect(logs.stderr).toBe(ATTACK);
});

test("--json prints only text, with the same values", async () => {
  const it = folder({ "t.flow.yaml": DOCUMENT });
  const ran = await it.run("run t.flow.yaml --json");
  expect(ran.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  const events = eventsIn(ran);
  expect(events[0].inputs.x).toBe(ATTACK);
});

test("a dry run shows hidden characters of a command", async () => {
  const command = "echo safe # \u202e }; rm -rf x\u2066\necho \u200bhidden\u{e0041}\u001b[8m";
  const node = { id: "a", type: "cli", data: { title: "A", content: command } };
  const it = folder({ "t.flow.json": text({ curlew: 1, name: "x", nodes: [node] }) });
  const { stdout } = await it.run("run t.flow.json --dry-run");
  expect(stdout).toContain("| echo safe # ⟨U+202E⟩ }; rm -rf x⟨U+2066⟩\n");
  expect(stdout).toContain("| echo ⟨U+200B⟩hidden⟨U+E0041⟩⟨U+001B⟩[8m\n");
});

test("the problems of a hostile document, and a hostile rejection, are printed harmlessly", async () => {
  const it = folder({ "t.flow.yaml": `${DOCUMENT}${said}: 1\n` });
  check(await screenOf(it, "validate t.flow.yaml"));
  it.write("u.flow.yaml", DOCUMENT.replace("default: ", "pattern: '^$', default: "));
  check(await screenOf(it, "validate u.flow.yaml"));
  it.write("v.flow.yaml", DOCUMENT.replace(/default: .*?, desc/, "pattern: '^$', desc"));
  it.write("v.json", text({ x: ATTACK, [ATTACK]: 1 }));
  check(await screenOf(it, "run v.flow.yaml --input-file v.json"));
});

test("an SVG from a hostile document is well-formed and contains no script", async () => {
  const hostile = `]]><script>alert(1)</script><image href="http://evil.example/x"/>" onload="alert(1)\uffff${ATTACK}`;
  const it = folder({
    "t.flow.yaml": DOCUMENT.replaceAll(
      said,
      text(hostile).replaceAll(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  });
  const { stdout, code } = await it.run("graph --svg t.flow.yaml");
  expect(code).toBe(0);
  expect(
    stdout.match(/<[a-z]+/g)!.filter((tag) => !/^<(svg|title|style|defs|marker|path|rect|text|g)$/.test(tag)),
  ).toEqual([]);
  expect(stdout.match(/<[^>]*\son[a-z]+\s*=/g)).toBeNull();
  it.write("t.svg", stdout);
  execFileSync("python3", ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", `${it.path}/t.svg`]);
});
