// run-storage: sets up a run's folder, and what it learns about secrets beyond the declared ones (spec 4.2).
//   K1. The key is read when something is sealed or opened for the first time, so a run without secrets needs no key.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { inputText } from "../kinds/context.ts";
import type { RunFiles } from "../kinds/values.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { secretParts } from "../secrets/derived-secrets.ts";
import { keyFor } from "../secrets/home-key.ts";
import type { Masker } from "../secrets/masker.ts";
import { createSealer, type Sealer } from "../secrets/sealed.ts";
import { explainErrno } from "../store/index.ts";
import type { Graph } from "../workflow/graph.ts";
import { type SecretSources, secretSources } from "../workflow/graph-secrets.ts";
import { type FileSecrets, learnSealed, runFiles } from "./run-files.ts";

type Inputs = Record<string, unknown>;
type Started = Extract<RunEvent, { type: "run.started" }>;

export interface RunStorage {
  /** Absolute path. */
  folder: string;
  files: RunFiles;
  secrets: FileSecrets;
  sources: SecretSources;
}

export interface RunStorageDeps {
  id: string;
  folder: string;
  home: string;
  graph: Graph;
  masker: Masker;
  lenient: boolean;
  /** A secret Variable of the parent run takes this run's result. */
  resultIsSecret: boolean;
  nextSeq(): number;
  /** The error to throw if the key is unavailable or nothing can be written. */
  fault(failure: Pick<Failure, "code" | "message">): Error;
}

export function openRunStorage(deps: RunStorageDeps): RunStorage {
  const { id, folder, home, graph, masker, lenient, resultIsSecret, nextSeq, fault } = deps;
  let sealer: Sealer | undefined;
  const secrets: FileSecrets = {
    masker,
    lenient,
    fault: (reason, path) => fault(explainErrno(reason, path)),
    sealer: () => {
      if (sealer !== undefined) return sealer;
      const key = keyFor("sealed-values", home);
      if (!key.ok) throw fault(key.error);
      sealer = createSealer(key.value, id);
      return sealer;
    },
  };
  return { folder, secrets, sources: secretSources(graph, resultIsSecret), files: runFiles(folder, nextSeq, secrets) };
}

type Document = Pick<Started, "subflows"> & { text: string };

/** A workflow text that contains the value of a secret is masked in `run.started` and kept exactly in a sealed file. */
export function recordedDocument(
  { text, subflows = {} }: Document,
  { files }: RunStorage,
): { sealedDocument?: string } {
  const all = [text, ...Object.values(subflows)];
  if (all.every((one) => files.mask(one) === one)) return {};
  return { sealedDocument: files.seal(Buffer.from(JSON.stringify({ text, subflows })), "text") };
}

/** `run.started` with the exact workflow text, or unchanged if the sealed file cannot be opened. */
export function exactDocument(started: Started, run: string, folder: string, home: string): Started {
  if (started.sealedDocument === undefined) return started;
  const key = keyFor("sealed-values", home);
  const file = join(folder, started.sealedDocument);
  if (!key.ok || !existsSync(file)) return started;
  const opened = createSealer(key.value, run).open(started.sealedDocument, readFileSync(file));
  if (opened === undefined) return started;
  const { text, subflows }: Required<Document> = JSON.parse(opened.bytes.toString("utf8"));
  return {
    ...started,
    workflow: { ...started.workflow, text },
    ...(started.subflows === undefined ? {} : { subflows }),
  };
}

/** Masks inputs that a secret Variable takes. */
export function maskInputs(inputs: Inputs, { sources, secrets }: RunStorage): void {
  for (const name of sources.inputs) secrets.masker.learn(secretParts(inputText(inputs[name])));
}

/** The inputs for `run.started`. Inputs with a secret are masked there and kept exactly in a sealed file. */
export function recordedInputs(inputs: Inputs, { files }: RunStorage): { inputs: Inputs; sealed?: string } {
  const secret = Object.entries(inputs).filter(([, value]) => files.mask(inputText(value)) !== inputText(value));
  if (secret.length === 0) return { inputs };
  return { inputs, sealed: files.seal(Buffer.from(JSON.stringify(Object.fromEntries(secret))), "text") };
}

/**
 * The inputs of a recorded run. Masks what the run treated as secret, so call it before the run continues. Failures:
 * `sealed-unreadable`, `home-key-*`.
 */
export function exactInputs(
  run: string,
  started: Pick<Started, "inputs" | "sealed">,
  keeping: RunStorage,
  home: string,
): Result<Inputs, Failure> {
  try {
    learnSealed(keeping.folder, keeping.secrets);
    const bytes = started.sealed === undefined ? undefined : keeping.files.unseal(started.sealed);
    const inputs = { ...started.inputs, ...(bytes === undefined ? {} : JSON.parse(bytes.toString("utf8"))) };
    maskInputs(inputs, keeping);
    return ok(inputs);
  } catch (reason) {
    const key = keyFor("sealed-values", home, "only-look");
    return key.ok ? err(sealedUnreadable(run, reason)) : key;
  }
}

function sealedUnreadable(run: string, reason: unknown): Failure {
  return {
    code: "sealed-unreadable",
    message: `Curlew can't read the secret values of run ${run}: ${reason instanceof Error ? reason.message : String(reason)}.`,
    hint: "They need the data directory where the run began, with its key. Start the workflow again.",
  };
}
