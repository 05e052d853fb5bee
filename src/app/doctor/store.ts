// Describes the findings of the store's self-check and how to fix them (spec 3.4).
// docs/reference/data-directory.md lists the codes.
//   D1. The check never creates, changes, or upgrades a run history (store/read-only-store.ts).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { count } from "../../base/text.ts";
import { type Finding, openReadOnly, type ReadOnlyStore, type StoreErrorCode } from "../../store/index.ts";
import { type Check, passed } from "./check.ts";

const FROM_BACKUP =
  "Restore a backup of the data directory (docs/reference/data-directory.md: backup), or continue without these records.";
const REMOVE = (run: string | undefined) =>
  `Put a backup in its place, or remove the run: curlew runs rm ${run ?? "RUN"}. Other runs are not affected.`;

export function storeChecks(home: string): Check[] {
  if (!existsSync(join(home, "curlew.db"))) return [passed("store", `There is no history in ${home} yet.`)];
  const looked = openReadOnly(home, (store): Check[] => {
    const wrongs = [...recordChecks(store), ...auditChecks(store)];
    return wrongs.length > 0 ? wrongs : [{ what: "store", status: "ok", message: soundText(store) }];
  });
  return looked.ok ? looked.value : [wrong(looked.error)];
}

function recordChecks(store: ReadOnlyStore): Check[] {
  const found = store.check();
  return found.ok ? found.value.map(wrong) : [wrong(found.error)];
}

function auditChecks(store: ReadOnlyStore): Check[] {
  const checked = store.verify();
  if (!checked.ok) return [wrong(checked.error)];
  return checked.value.findings.map(({ code, message, run }) => ({
    what: "audit",
    status: "wrong",
    code,
    message,
    help: "Compare it with a backup of the data directory. See: curlew docs audit-log",
    run,
  }));
}

function soundText(store: ReadOnlyStore): string {
  const counted = store.counts();
  if (!counted.ok) return "Every record is unchanged.";
  const { runs, events } = counted.value;
  return `${count(runs, "run")}, ${count(events, "event")}: every record is unchanged, and every output is there.`;
}

export function wrong(found: { code: Finding["code"] | StoreErrorCode; message: string; run?: string }): Check {
  const help = helpFor(found.code, found.run);
  return {
    what: "store",
    status: "wrong",
    code: found.code,
    message: found.message,
    help,
    run: found.run,
  };
}

/** Undefined if the message already says what to do. */
function helpFor(code: Finding["code"] | StoreErrorCode, run: string | undefined): string | undefined {
  switch (code) {
    case "store-damaged":
    case "journal-without-run":
    case "store-failed":
      return FROM_BACKUP;
    case "journal-gap":
    case "journal-truncated":
    case "record-damaged":
    case "index-behind":
    case "output-missing":
    case "output-truncated":
    case "output-changed":
      return REMOVE(run);
    case "outputs-without-run":
      return `Nothing needs them; remove the folder runs/${run ?? "RUN"} of the home.`;
    default:
      return undefined;
  }
}
