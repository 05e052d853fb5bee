// fixing: the edits that fix findings, one at a time or several as one undo step (ui-2 U8).
//   F1. "Fix all" uses the first fix of each finding. For all codes together, only fixes that can't change what a correct
//       command does are used.

import { type Fix, fixesOf, type TextChange } from "../code/fixes.ts";
import type { Finding } from "../code/places.ts";
import {
  type Doc,
  type Edit,
  nameInsteadOfEdge,
  nodesOf,
  setDocumentField,
  setField,
  titleOf,
  together,
} from "../document/index.ts";
import { getIn } from "../document/plain.ts";
import { fixInNode } from "../inspector/edits.ts";
import { withSecrets } from "./curl.ts";
import type { Place } from "./moved.ts";
import { nodeOfFinding } from "./read.ts";

export interface Offer {
  label: string;
  /** Absent: the fix saves a secret first. */
  edit?: Edit;
  secret?: Place;
}

const SAFE = new Set([
  ...["curl-no-fail", "curl-no-time-limit", "unquoted-variable", "json-in-quotes", "stdin-missing", "bad-duration"],
  ...["condition-member", "name-in-filter", "expression-operator", "expression-template"],
]);

export const isSafe = ({ code }: Finding): boolean => SAFE.has(code);

/** The fixes of a finding, the best one first. */
export function offersOf(finding: Finding, doc: Doc): Offer[] {
  const { code, edge } = finding;
  if (code === "branch-bypassed" && edge !== undefined && /^\w+$/.test(edge.source))
    return [
      { label: `Write \${${edge.source}} instead of the edge`, edit: nameInsteadOfEdge(edge.source, edge.target) },
    ];
  const whole = documentFix(finding, doc);
  if (whole !== undefined) return [whole];
  const place = placeOf(finding, doc);
  if (place === undefined) return [];
  const { id, path, value } = place;
  return fixesOf(finding, value).map((fix) =>
    fix.secret === undefined
      ? { label: fix.label, edit: fixInNode(id, path, value, fix) }
      : { label: fix.label, secret: { id, path, text: value, ...fix.secret } },
  );
}

/** The fix of a finding that a text or a field of a node can't fix. The finding's own text has the values. */
function documentFix(finding: Finding, doc: Doc): Offer | undefined {
  const { code, message, help = "", path } = finding;
  if (code === "concurrency-capped") {
    const wanted = Number.parseInt(message, 10);
    return { label: `Set concurrency: ${wanted}`, edit: setDocumentField(["concurrency"], wanted) };
  }
  if (code === "looks-like-a-secret") {
    const name = /^\w+/.exec(message)?.[0] ?? "";
    return { label: `Declare ${name} as a secret`, edit: withSecrets([name]) };
  }
  // The finding lists five hosts at most.
  if (code !== "auth-several-hosts" || / more, /.test(message)) return undefined;
  const hosts = /hosts: \[([^\]]+)\]/.exec(help)?.[1]?.split(", ") ?? [];
  const id = nodeOfFinding(doc, finding);
  const entry = String(path[1]);
  const edit =
    id === undefined ? setDocumentField(["auth", entry, "hosts"], hosts) : setField(id, ["auth", "hosts"], hosts);
  return { label: `List the hosts ${hosts.join(" and ")}`, edit };
}

/** Undefined if none of them has a fix. */
export function fixAll(findings: readonly Finding[], doc: Doc): Edit | undefined {
  const fields = new Map<string, NonNullable<ReturnType<typeof placeOf>> & { fixes: Fix[] }>();
  const others: Edit[] = [];
  let count = 0;
  for (const finding of findings) {
    const place = placeOf(finding, doc);
    const [fix] = place === undefined ? [] : fixesOf(finding, place.value);
    if (fix?.secret !== undefined) continue;
    if (place === undefined || fix === undefined) {
      const [offer] = offersOf(finding, doc);
      if (offer?.edit === undefined) continue;
      others.push(offer.edit);
      count += 1;
      continue;
    }
    const key = JSON.stringify([place.id, place.path]);
    const field = fields.get(key) ?? { ...place, fixes: [] };
    fields.set(key, { ...field, fixes: [...field.fixes, fix] });
    count += 1;
  }
  const edits = [...fields.values()].map(({ id, path, value, fixes }) => fixInNode(id, path, value, joined(fixes)));
  const label = count === 1 ? "Fix a problem" : `Fix ${count} problems`;
  return count === 0 ? undefined : together(label, [...edits, ...others]);
}

/** The field that a finding is in. */
function placeOf(finding: Finding, doc: Doc) {
  const id = nodeOfFinding(doc, finding);
  const node = nodesOf(doc.plain ?? {}).find((one) => one.id === id);
  if (id === undefined || node === undefined || finding.path[2] !== "data") return undefined;
  const path = finding.path.slice(3);
  const value = getIn(node.data, path);
  return { id, path, value: typeof value === "string" ? value : "" };
}

/** Several fixes of a field as one. If two change the same characters, the first is kept. */
function joined(fixes: readonly Fix[]): Fix {
  const changes: TextChange[] = [];
  for (const change of fixes.flatMap((fix) => fix.changes ?? []))
    if (!changes.some(({ from, to }) => from < change.to && change.from < to)) changes.push(change);
  const set = fixes.flatMap((fix) => fix.set ?? []);
  return { label: fixes[0]!.label, changes: changes.length === 0 ? undefined : changes, set };
}

const RANK = { error: 0, warning: 1, info: 2 };

/** Errors first. Findings of equal severity keep their order, which is that of their lines. */
export function bySeverity<Found extends Pick<Finding, "severity">>(findings: readonly Found[]): Found[] {
  return findings.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** A message with the titles of nodes in place of their ids. */
export function withTitles(message: string, doc: Doc): string {
  const titles = new Map(nodesOf(doc.plain ?? {}).map((node) => [node.id, titleOf(node)]));
  return message.replaceAll(
    /"([A-Za-z_][\w-]*)(?:(:\w+)? -> ([A-Za-z_][\w-]*))?"/g,
    (whole, source, handle, target) => {
      const [from, to] = [titles.get(source), titles.get(target)];
      if (from === undefined || (target !== undefined && to === undefined)) return whole;
      return target === undefined ? `"${from}"` : `"${from}${handle ?? ""} → ${to}"`;
    },
  );
}
