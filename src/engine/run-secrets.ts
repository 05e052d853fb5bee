// run-secrets: looks up the secrets of a run and its subflows before anything of it is recorded (spec 4.2).
//   Z1. Only declared names that some node uses are looked up. Each source is asked at most once per run.
//   Z2. The remaining environment holds no secret under any name. A node gets a secret only by naming it, not by
//       `env.inherit: true`.
//   Z4. A variable whose name says that it is a secret is masked too when a node uses it, declared or not (8.4).
//   Z3. Parent and child runs share values and masker: a secret of one is masked in all.

import { dirname } from "node:path";
import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isAllowedName } from "../process/environment.ts";
import { createMasker, type Masker, tooShort } from "../secrets/masker.ts";
import { type FoundSecrets, findSecrets, type SourceDeps } from "../secrets/sources.ts";
import { referencesOf } from "../shell/template.ts";
import { soundsSecret } from "../workflow/credentials.ts";
import type { Workflow, WorkflowNode } from "../workflow/model.ts";
import { namesUsed } from "../workflow/names-used.ts";
import { inheritedBy, variableName } from "../workflow/node-fields.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { inputSpecs } from "../workflow/triggers/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunSecrets {
  /** By name. */
  values: ReadonlyMap<string, string>;
  /** The process environment, overridden by `--env-file`, without the secrets. */
  environment: Environment;
  masker: Masker;
  /** The run is only ended, so unavailable secrets are not a failure. */
  absent?: true;
}

export interface SecretDeps {
  /** Absolute path of the workflow file. */
  file: string;
  workflow: Workflow;
  /** Texts of the subflow files, by absolute path. */
  subflows: Readonly<Record<string, string>>;
  home: string;
  env: Environment;
  envFile?: Readonly<Record<string, string>> | undefined;
  /** Values that a person typed in. */
  asked?: Readonly<Record<string, string>> | undefined;
  warn(warning: Failure): void;
}

/** Failures: `secret-missing`, and those of secrets/sources.ts. */
export async function secretsOfRun(deps: SecretDeps): Promise<Result<RunSecrets, Failure>> {
  const documents = documentsOf(deps);
  const declared = new Set(documents.flatMap(({ workflow }) => workflow.secrets));
  const undeclared = undeclaredIn(documents, { ...deps.env, ...deps.envFile });
  if (declared.size === 0) return ok(secretsWith([], { values: new Map(), aliases: [] }, deps, undeclared));
  const uses = usesIn(documents);
  const found = await findSecrets(namedIn(uses, declared), sourcesOf(deps));
  if (!found.ok) return found;
  const missing = uses.find(({ name, needed }) => needed && !found.value.values.has(name));
  if (missing !== undefined) return err(secretMissing(missing, deps));
  return ok(secretsWith([...declared], found.value, deps, undeclared));
}

/**
 * For masking text that is written for a recorded run: the available secrets. Unavailable ones are skipped silently.
 */
export async function secretsAtHand(deps: Omit<SecretDeps, "warn">): Promise<RunSecrets> {
  const quiet = { ...deps, warn: () => {} };
  const documents = documentsOf(quiet);
  const declared = new Set(documents.flatMap(({ workflow }) => workflow.secrets));
  const values = new Map<string, string>();
  for (const name of namedIn(usesIn(documents), declared)) {
    const found = await findSecrets([name], sourcesOf(quiet));
    if (found.ok) for (const [known, value] of found.value.values) values.set(known, value);
  }
  const undeclared = undeclaredIn(documents, { ...deps.env, ...deps.envFile });
  return secretsWith([...declared], { values, aliases: [] }, quiet, undeclared);
}

/** For a run that is resumed only to be ended. Its commands run without secrets. */
export function noSecrets(deps: SecretDeps): RunSecrets {
  const declared = documentsOf(deps).flatMap(({ workflow }) => workflow.secrets);
  return { ...secretsWith(declared, { values: new Map(), aliases: [] }, deps), absent: true };
}

/** Only subflows that may name a secret are parsed. */
function documentsOf({ file, workflow, subflows }: SecretDeps): { file: string; workflow: Workflow }[] {
  const documents = [{ file, workflow }];
  const any = workflow.secrets.length > 0 || Object.values(subflows).some((text) => MAY_NAME_A_SECRET.test(text));
  for (const [path, text] of Object.entries(any ? subflows : {})) {
    const parsed = path === file ? undefined : parseWorkflow(text, path).workflow;
    if (parsed !== undefined) documents.push({ file: path, workflow: parsed });
  }
  return documents;
}

const MAY_NAME_A_SECRET = /secret|token|key|pass|pwd|credential|\bPAT\b|_PAT\b|inherit/i;

/** Z4: names of environment variables. */
function undeclaredIn(documents: ReturnType<typeof documentsOf>, env: Environment): string[] {
  const names = new Set<string>();
  for (const { workflow } of documents) {
    const ownNames = new Set([...Object.keys(inputSpecs(workflow)), ...(workflow.unmasked ?? [])]);
    for (const node of workflow.nodes) {
      const name = variableName(node);
      if (name !== undefined) ownNames.add(name);
    }
    const all = workflow.nodes.some((node) => inheritedBy(node) === true);
    for (const name of all ? Object.keys(env) : workflow.nodes.flatMap((node) => namesOf(node, workflow)))
      if (soundsSecret(name) && !isAllowedName(name) && !ownNames.has(name)) names.add(name);
  }
  return [...names].filter((name) => env[name] !== undefined);
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

function sourcesOf({ asked, envFile, env, file, home, warn }: SecretDeps): SourceDeps {
  return { asked: asked ?? {}, envFile: envFile ?? {}, environment: env, folder: dirname(file), home, warn };
}

/** Names that a node uses: in templates and expressions, in `env.inherit`, and in the `auth:` entry it refers to. */
function namesOf(node: WorkflowNode, workflow: Workflow): string[] {
  const names = namesUsed(node).map(({ name }) => name);
  const inherited = inheritedBy(node);
  if (inherited !== true) names.push(...inherited);
  const auth = "auth" in node.data && typeof node.data.auth === "string" ? workflow.auth?.[node.data.auth] : undefined;
  for (const template of Object.values(auth ?? {}))
    if (typeof template === "string") names.push(...referencesOf(template).map(({ root }) => root));
  return names;
}

function secretsWith(
  declared: readonly string[],
  found: FoundSecrets,
  deps: SecretDeps,
  undeclared: readonly string[] = [],
): RunSecrets {
  const environment: Record<string, string | undefined> = Object.assign(Object.create(null), deps.env, deps.envFile);
  const masked = new Map(found.values);
  // A secret that no node uses is not given to any node, but it is masked if its value is in the environment.
  for (const name of [...declared, ...undeclared]) {
    const value = environment[name];
    if (!masked.has(name) && value !== undefined && value !== "" && tooShort(new Map([[name, value]])).length === 0)
      masked.set(name, value);
  }
  for (const name of [...declared, ...found.aliases]) delete environment[name];
  return { values: found.values, environment, masker: createMasker(masked) };
}

function secretMissing(use: Use, deps: SecretDeps): Failure {
  const { name } = use;
  const where = use.file === deps.file ? "" : ` of the subflow ${use.file}`;
  const empty = [deps.asked?.[name], deps.envFile?.[name], deps.env[name]].includes("");
  return {
    code: "secret-missing",
    message: `Node "${use.node}"${where} needs the secret ${name}, but it is ${empty ? "empty" : "not set"}.`,
    hint: `Save it with "curlew secrets set ${name}". Or set ${name} in the environment, or use --env-file FILE or --secret ${name}.`,
  };
}
