// secrets: those of a run and its subflows, found before anything of it is recorded (spec 4.2).
//   Z1. Looked for are declared names that some node of the documents names; each source is asked at most once a run.
//   Z2. What is left as the environment holds no secret, under no name: a node gets one by naming it, `env.inherit: true` gives none.
//   Z3. Parent and children share the values and the masker: what is secret in one is masked in all.

import { dirname } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  createMasker,
  type FoundSecrets,
  findSecrets,
  type Masker,
  type SourceGround,
  tooShort,
} from "../../nodes/index.ts";
import type { Workflow, WorkflowNode } from "../../workflow/model.ts";
import { namesUsed } from "../../workflow/names-used.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { referencesOf } from "../../workflow/template.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunSecrets {
  /** By name. */
  values: ReadonlyMap<string, string>;
  /** Of the process, with `--env-file` laid over it, without what is secret. */
  environment: Environment;
  masker: Masker;
  /** The run is only ended: what cannot be had does not stop that. */
  absent?: true;
}

export interface SecretGround {
  /** Absolute path of the workflow file. */
  file: string;
  workflow: Workflow;
  /** Texts of the subflow documents, by absolute path. */
  subflows: Readonly<Record<string, string>>;
  home: string;
  env: Environment;
  envFile?: Readonly<Record<string, string>> | undefined;
  /** Values that a person was asked for. */
  asked?: Readonly<Record<string, string>> | undefined;
  warn(warning: Failure): void;
}

/** Failures: `secret-missing`, and those of secrets/sources.ts. */
export async function secretsOfRun(ground: SecretGround): Promise<Result<RunSecrets, Failure>> {
  const documents = documentsOf(ground);
  const declared = new Set(documents.flatMap(({ workflow }) => workflow.secrets));
  if (declared.size === 0) return ok(secretsWith([], { values: new Map(), aliases: [] }, ground));
  const uses = usesIn(documents);
  const found = await findSecrets(namedIn(uses, declared), sourcesOf(ground));
  if (!found.ok) return found;
  const missing = uses.find(({ name, needed }) => needed && !found.value.values.has(name));
  if (missing !== undefined) return err(secretMissing(missing, ground));
  return ok(secretsWith([...declared], found.value, ground));
}

/** To hide them in a text that is written for a run on record: each that can be had; of those that cannot, nothing is said. */
export async function secretsAtHand(ground: Omit<SecretGround, "warn">): Promise<RunSecrets> {
  const quiet = { ...ground, warn: () => {} };
  const documents = documentsOf(quiet);
  const declared = new Set(documents.flatMap(({ workflow }) => workflow.secrets));
  const values = new Map<string, string>();
  for (const name of namedIn(usesIn(documents), declared)) {
    const found = await findSecrets([name], sourcesOf(quiet));
    if (found.ok) for (const [known, value] of found.value.values) values.set(known, value);
  }
  return secretsWith([...declared], { values, aliases: [] }, quiet);
}

/** For a run that is only taken up to be ended: its commands go without. */
export function noSecrets(ground: SecretGround): RunSecrets {
  const declared = documentsOf(ground).flatMap(({ workflow }) => workflow.secrets);
  return { ...secretsWith(declared, { values: new Map(), aliases: [] }, ground), absent: true };
}

/** A subflow's text without the word declares none; it is not parsed for that. */
function documentsOf({ file, workflow, subflows }: SecretGround): { file: string; workflow: Workflow }[] {
  const documents = [{ file, workflow }];
  const any = workflow.secrets.length > 0 || Object.values(subflows).some((text) => text.includes("secrets"));
  for (const [path, text] of Object.entries(any ? subflows : {})) {
    const parsed = path === file ? undefined : parseWorkflow(text, path).workflow;
    if (parsed !== undefined) documents.push({ file: path, workflow: parsed });
  }
  return documents;
}

interface Use {
  name: string;
  node: string;
  file: string;
  needed: boolean;
}

function usesIn(documents: ReturnType<typeof documentsOf>): Use[] {
  return documents.flatMap(({ file, workflow }) =>
    workflow.nodes.flatMap((node) =>
      namesOf(node, workflow).map((name) => ({ name, node: node.id, file, needed: workflow.secrets.includes(name) })),
    ),
  );
}

function namedIn(uses: readonly Use[], declared: ReadonlySet<string>): string[] {
  return [...new Set(uses.map(({ name }) => name).filter((name) => declared.has(name)))];
}

function sourcesOf({ asked, envFile, env, file, home, warn }: SecretGround): SourceGround {
  return { asked: asked ?? {}, envFile: envFile ?? {}, environment: env, folder: dirname(file), home, warn };
}

/** Names that a node names in any way: in templates and expressions, in `env.inherit`, by the `auth:` it points to. */
function namesOf(node: WorkflowNode, workflow: Workflow): string[] {
  const names = namesUsed(node).map(({ name }) => name);
  if (node.type !== "cli") return names;
  if (Array.isArray(node.data.env?.inherit)) names.push(...node.data.env.inherit);
  const auth = typeof node.data.auth === "string" ? workflow.auth?.[node.data.auth] : undefined;
  for (const template of Object.values(auth ?? {}))
    if (typeof template === "string") names.push(...referencesOf(template).map(({ root }) => root));
  return names;
}

function secretsWith(declared: readonly string[], found: FoundSecrets, ground: SecretGround): RunSecrets {
  const environment: Record<string, string | undefined> = Object.assign(
    Object.create(null),
    ground.env,
    ground.envFile,
  );
  const masked = new Map(found.values);
  // What nobody names is no node's business, and is masked all the same where its value is at hand.
  for (const name of declared) {
    const value = environment[name];
    if (!masked.has(name) && value !== undefined && value !== "" && tooShort(new Map([[name, value]])).length === 0)
      masked.set(name, value);
  }
  for (const name of [...declared, ...found.aliases]) delete environment[name];
  return { values: found.values, environment, masker: createMasker(masked) };
}

function secretMissing(use: Use, ground: SecretGround): Failure {
  const { name } = use;
  const where = use.file === ground.file ? "" : ` of the subflow ${use.file}`;
  const empty = [ground.asked?.[name], ground.envFile?.[name], ground.env[name]].includes("");
  return {
    code: "secret-missing",
    message: `Node "${use.node}"${where} needs the secret ${name}, and it is ${empty ? "empty" : "not set"}.`,
    hint: `Save it with "curlew secrets set ${name}", or set ${name} in the environment, or give it with --env-file FILE or --secret ${name}.`,
  };
}
