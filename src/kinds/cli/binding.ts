// binding: builds what a person is shown before a command runs, and the hashes that bind an approval to exactly that
// (spec 3.5, 4.2).
//   A1. Everything that determines what would run is bound: the rewritten program, its interpreter, every value in
//       full, its environment, standard input, working directory, sandbox, egress, time limits, and safety level.
//   A2. Each hash is keyed with a key of this data directory, so that no one can guess a short secret or value from it.
//   A3. Values are masked before they are cut, so that no part of a secret remains at the cut.
//   A4. Variables of the terminal (TERM, SSH_AUTH_SOCK, …) are not bound, because the answer may come from another
//       terminal.

import { createHash, createHmac } from "node:crypto";
import { realpathSync } from "node:fs";
import type { ShownValue } from "../../base/approval-detail.ts";
import { limits } from "../../base/limits.ts";
import type { Piece } from "../../process/stdin.ts";
import { describeReference } from "../../shell/template.ts";
import type { CliNode } from "../../workflow/model.ts";
import { type NodeContext, quoted } from "../context.ts";
import type { Binding } from "../executor.ts";
import { asUtf8, chunksOf, readPart } from "../values.ts";
import type { Program } from "./program.ts";
import type { ScriptVariable } from "./script-values.ts";

/** A prepared CLI node. */
interface Bindable {
  node: CliNode;
  program: Program;
  given: readonly ScriptVariable[];
  /** `named`: variables that the workflow sets. `env`: the whole environment of the command. */
  named: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  stdin: readonly Piece[];
  cwd: string;
  /** Rendered credentials for curl. */
  signIn?: object | undefined;
}

const OF_THE_TERMINAL = /^(?:TERM|SSH_AUTH_SOCK|XDG_(?:SESSION|SEAT|VTNR|RUNTIME|CURRENT)[A-Z_]*)$/;
/** Curlew's own variables: values are bound by content, and the attempt has its number in the request. */
const OF_VALUES = /^CURLEW_(?:V_|ATTEMPT$)/;

export async function bindingOf(prepared: Bindable, context: NodeContext, key: Buffer): Promise<Binding> {
  const { node, program, given, named, env, stdin, cwd, signIn } = prepared;
  const { egress = context.workflow.egress ?? "https", sandbox = "none", safetyLevel = "safe" } = node.data;
  const { timeout, idleTimeout, killGrace } = node.data;
  const bound: Record<string, string> = Object.create(null);
  const bind = (name: string, ...texts: (string | null)[]): void => {
    bound[name] = digest(key, name, JSON.stringify(texts));
  };
  bind("the program", program.text);
  bind("the shell", program.interpreter, JSON.stringify(program.how));
  bind("the working directory", cwd, realpathSync(cwd));
  bind("the sandbox", sandbox);
  bind("the egress", JSON.stringify(egress));
  bind("the time limits", timeout ?? null, idleTimeout ?? null, killGrace ?? null);
  bind("the safety level", safetyLevel);
  bind("the sign-in", JSON.stringify(node.data.auth ?? null), JSON.stringify(signIn ?? null));
  for (const [name, value] of Object.entries(env))
    if (!OF_THE_TERMINAL.test(name) && !OF_VALUES.test(name)) bind(`the environment variable ${name}`, value);
  for (const one of given) bound[`the value of ${describeReference(one.variable)}`] = await digestOfGiven(key, one);
  bound["standard input"] = await keyedDigest(key, "standard input", stdin);
  const values = [
    ...given.map((one) => shownGiven(one, context)),
    ...Object.entries(named).map(([name, text]) => shown(`$${name}`, text, Buffer.byteLength(text), context)),
  ];
  return {
    bound,
    detail: {
      command: node.data.content,
      rendered: renderedProgram(node.data.content, given, context),
      values,
      shell: program.interpreter,
      cwd: context.masker.mask(cwd),
      env: Object.keys(named).sort(),
      stdin: stdin.length === 0 ? undefined : await shownStdin(stdin, context),
      sandbox: sandbox === "none" ? undefined : sandbox,
      egress: typeof egress === "string" ? egress : `only ${egress.allow.join(", ")}`,
      timeout,
    },
  };
}

/**
 * The program with each reference replaced by its value: plain if it is one harmless word, otherwise between « and ».
 */
function renderedProgram(content: string, given: readonly ScriptVariable[], context: NodeContext): string {
  const uses = given.flatMap((one) => one.variable.uses.map(({ start, end }) => ({ start, end, one })));
  let text = "";
  let from = 0;
  for (const { start, end, one } of uses.sort((a, b) => a.start - b.start)) {
    text += content.slice(from, start) + inPlace(shownGiven(one, context));
    from = end;
  }
  return text + content.slice(from);
}

function inPlace({ text, bytes }: ShownValue): string {
  return text.length <= limits.approvalInlineCharsMax && /^[\p{L}\p{N}_@%+=:,./~*-]+$/u.test(text)
    ? text
    : quoted(text, bytes);
}

function shownGiven({ variable, text, file, bytes }: ScriptVariable, context: NodeContext): ShownValue {
  return shown(describeReference(variable), file === undefined ? text : `a file of ${bytes} bytes`, bytes, context);
}

/** A3. */
function shown(name: string, text: string, bytes: number, { masker }: NodeContext): ShownValue {
  const beginning = text.slice(0, limits.approvalMaskedCharsMax);
  const masked = masker.mask(beginning);
  const cut = masked.length > limits.approvalValueCharsMax || beginning.length < text.length;
  return {
    name,
    text: cut ? `${masked.slice(0, limits.approvalValueCharsMax)}… (${bytes} bytes)` : masked,
    bytes,
    secret: masked === beginning ? undefined : true,
  };
}

async function shownStdin(pieces: readonly Piece[], context: NodeContext) {
  const { bytes, sha256 } = await digestOf(pieces, context);
  let beginning = "";
  for (const piece of pieces) {
    if (beginning.length >= limits.approvalMaskedCharsMax) break;
    beginning += "text" in piece ? asUtf8(piece.text) : startOf(piece);
  }
  const { text: preview } = shown("", beginning.slice(0, limits.approvalMaskedCharsMax), bytes, context);
  return { bytes, sha256, preview };
}

function startOf({ file, bytes }: { file: string; bytes: number }): string {
  return readPart(file, 0, Math.min(bytes, limits.approvalMaskedCharsMax)).toString("utf8");
}

/**
 * Size of standard input, and the hash of its masked bytes. A hash of the exact bytes would let someone guess a short
 * secret.
 */
export async function digestOf(
  pieces: readonly Piece[],
  { masker }: Pick<NodeContext, "masker">,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of pieces) {
    if ("text" in piece) hash.update(masker.mask(asUtf8(piece.text)));
    else for await (const chunk of chunksOf(piece)) hash.update(chunk);
    bytes += "text" in piece ? Buffer.byteLength(piece.text) : piece.bytes;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** A file is bound by its content, because its name differs for each attempt. */
function digestOfGiven(key: Buffer, { variable, text, file, bytes }: ScriptVariable): string | Promise<string> {
  const name = `value ${variable.variable}`;
  return file === undefined ? digest(key, name, text) : keyedDigest(key, `${name} in a file`, [{ file, bytes }]);
}

/** The hash depends only on the bytes, not on how they are split into pieces. */
async function keyedDigest(key: Buffer, name: string, pieces: readonly Piece[]): Promise<string> {
  const hmac = keyed(key, name);
  for (const piece of pieces) {
    for await (const chunk of chunksOf(piece)) hmac.update(chunk);
  }
  return hmac.digest("hex");
}

function digest(key: Buffer, name: string, text: string): string {
  return keyed(key, name).update(text).digest("hex");
}

/** The name ends with a newline, which JSON never contains, so a name cannot merge with the text after it. */
function keyed(key: Buffer, name: string) {
  return createHmac("sha256", key).update(`${JSON.stringify(name)}\n`);
}
