// audit: shows the audit log, newest first, and verifies that it is unchanged (spec 4.2). See
// docs/reference/audit-log.md.

import { basename } from "node:path";
import { count, oneLine } from "../../base/text.ts";
import type { AuditEntry, AuditReport } from "../../store/index.ts";
import { Exit } from "../exit.ts";
import { printList } from "../list.ts";
import { type HomeOption, homeOf, refused, withStore } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface AuditOptions extends HomeOption {
  json?: boolean;
  /** Maximum number of entries. */
  number?: number;
}

export async function audit(options: AuditOptions, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const listed = await store.audit.list(options.number ?? 20);
    if (!listed.ok) return refused(listed.error, terminal);
    const row = (entry: AuditEntry) => [line(entry)];
    printList(listed.value, { json: options.json, empty: "The audit log is empty.", row }, terminal);
    return Exit.OK;
  });
}

/** Exit code 0: the log is intact. 1: it was changed; the first changed entry is named. */
export async function verify(options: AuditOptions, terminal: Terminal): Promise<Exit> {
  return withStore(options, terminal, async (store) => {
    const checked = await store.audit.verify();
    if (!checked.ok) return refused(checked.error, terminal);
    const { findings } = checked.value;
    if (options.json) terminal.json({ sound: findings.length === 0, ...checked.value }, true);
    else if (findings.length === 0) terminal.out(soundText(checked.value));
    else tellFindings(checked.value, homeOf(options, terminal), terminal);
    return findings.length === 0 ? Exit.OK : Exit.FAILED;
  });
}

function soundText({ entries, head }: AuditReport): string {
  return entries === 0
    ? "The audit log is intact. It has no entries.\n"
    : `The audit log is intact: ${count(entries, "entry", "entries")}, the last with hash ${head}\n`;
}

function tellFindings({ findings }: AuditReport, home: string, terminal: Terminal): void {
  const [first, ...rest] = findings;
  if (first === undefined) return;
  terminal.problem({
    code: first.code,
    message: `The audit log of ${home} was changed. ${first.message}`,
    hint: "Compare it with a backup of the data directory. See: curlew docs audit-log",
  });
  for (const finding of rest)
    terminal.err(`  ${terminal.errStyle("error", finding.code)}: ${oneLine(finding.message)}\n`);
}

/** Number, time, action, subject, person and place. */
function line(entry: AuditEntry): string {
  const about = [
    entry.name,
    entry.run === undefined ? undefined : `${entry.run}${entry.path === undefined ? "" : ` ${entry.path}`}`,
    entry.hash === undefined ? undefined : `#${entry.hash.slice(0, 12)}`,
    entry.edited ? "edited" : undefined,
    entry.as === undefined ? undefined : `counts as: ${entry.as}`,
    entry.inAdvance === undefined ? undefined : `approved in advance: ${inAdvance(entry.inAdvance)}`,
    entry.advanced === undefined ? undefined : `advanced: ${advanced(entry)}`,
  ];
  const who = entry.by === undefined ? "" : `by ${entry.by}${origin(entry)}`;
  const words = [String(entry.n), entry.at, entry.type, ...about, who].filter(
    (word) => word !== undefined && word !== "",
  );
  return oneLine(words.join("  "));
}

const inAdvance = (nodes: readonly string[]) => (nodes.includes("*") ? "every node" : nodes.join(", "));

function advanced({ advanced: names = [], advancedCount = names.length }: AuditEntry): string {
  const more = advancedCount - Math.min(names.length, 5);
  return `${names.slice(0, 5).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function origin({ from, door }: AuditEntry): string {
  const place = from === undefined ? "" : ` on ${from.host}${from.tty === undefined ? "" : ` ${basename(from.tty)}`}`;
  return `${place}${door === undefined ? "" : ` (${door})`}`;
}
