// check/credentials: finds literal passwords, tokens and keys in the workflow file (spec 4.2; docs/adr/0021).
//   K1. A finding covers exactly the credential and never repeats it. Excerpts and messages of all other findings hide
//       it too.
//   K2. Only a certain finding is an error: a workflow is rejected only for what looks real.
//   K3. The whole text is searched, including comments and descriptions, because it is committed to git.

import {
  type Credential,
  covered,
  findCredentials,
  isPlaceholder,
  looksReal,
  SECRET_NAME,
  withoutOverlap,
} from "../credentials.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { At } from "../diagnostics/base.ts";
import { credentialInDocument, credentialLikely } from "../diagnostics/credentials.ts";
import { kindOf, knows } from "../kinds/index.ts";
import { textsOf } from "../kinds/kind.ts";
import type { Workflow } from "../model.ts";
import { isSecretVariable, variableName } from "../node-fields.ts";
import type { Path, SourceMap } from "../source-map.ts";

/** Finds tokens in the formats of vendors. The caller loads it, because the rules are large. */
export type ScanTokens = (text: string) => Promise<Credential[]>;

export interface CheckedCredentials {
  diagnostics: Diagnostic[];
  /** The workflow's text for display. */
  shown: string;
  /** Hides the workflow's credentials in the message of a finding. */
  cover(diagnostic: Diagnostic): Diagnostic;
}

export async function checkCredentials(
  source: SourceMap,
  workflow: Workflow | undefined,
  nodeIndexes: readonly number[],
  scan: ScanTokens | undefined,
): Promise<CheckedCredentials> {
  const { text } = source;
  const named =
    workflow === undefined ? [] : namedFields(workflow, nodeIndexes).flatMap((field) => inField(field, source));
  const shaped =
    scan === undefined ? [] : (await scan(text)).filter(({ start, end }) => !isPlaceholder(text.slice(start, end)));
  const found = withoutOverlap([...findCredentials(text), ...named, ...shaped]);
  const words = found.map(({ start, end }) => text.slice(start, end)).sort((a, b) => b.length - a.length);
  const cover = (line: string) => words.reduce((left, word) => left.replaceAll(word, "*".repeat(word.length)), line);
  return {
    diagnostics: found.map((one) => diagnosticOf(one, source)),
    shown: covered(text, found),
    cover: (diagnostic) =>
      words.length === 0
        ? diagnostic
        : {
            ...diagnostic,
            message: cover(diagnostic.message),
            help: diagnostic.help && cover(diagnostic.help),
          },
  };
}

function diagnosticOf({ start, end, kind, certain }: Credential, source: SourceMap): Diagnostic {
  const at: At = { file: source.file, range: source.rangeAt(start, end) };
  const isKey = kind.endsWith("private key");
  return certain ? credentialInDocument(at, kind, isKey) : credentialLikely(at, kind);
}

interface NamedField {
  path: Path;
  value: string;
}

/** Fields with a secret-like name, and Variables with `secret: true`. */
function namedFields(workflow: Workflow, nodeIndexes: readonly number[]): NamedField[] {
  const fields: NamedField[] = [];
  const add = (path: Path, name: string, value: unknown, pattern = SECRET_NAME) => {
    if (typeof value === "string" && pattern.test(name)) fields.push({ path, value });
  };
  for (const [name, input] of Object.entries(workflow.inputs)) add(["inputs", name, "default"], name, input.default);
  for (const [entry, auth] of Object.entries(workflow.auth ?? {}))
    for (const [name, value] of Object.entries(auth)) add(["auth", entry, name], name, value, AUTH_SECRETS);
  for (const [index, node] of workflow.nodes.entries()) {
    const path: Path = ["nodes", nodeIndexes[index] ?? index, "data"];
    const named = knows(node, "secret") ? variableName(node) : undefined;
    for (const field of textsOf(kindOf(node), node.data)) {
      const name = field.key ?? named;
      if (name === undefined) continue;
      const pattern = isSecretVariable(node) ? /^/ : field.path[0] === "auth" ? AUTH_SECRETS : SECRET_NAME;
      add([...path, ...field.path], name, field.text, pattern);
    }
  }
  return fields;
}

const AUTH_SECRETS = /^(?:token|password|value|clientSecret|refreshToken)$/;

function inField({ path, value }: NamedField, source: SourceMap): Credential[] {
  // Text of several words is unlikely to be a password.
  const text = value.trim();
  if (text.length < 4 || /^[\d.]+$/.test(text) || isPlaceholder(text) || /\s/.test(text)) return [];
  const { start, end } = source.rangeInside(path, value, value.indexOf(text), value.indexOf(text) + text.length);
  const from = source.offsetOf(start);
  const to = source.offsetOf(end);
  return [{ start: from, end: to, kind: "a password or key", certain: looksReal(text) }];
}
