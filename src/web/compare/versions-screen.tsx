// VersionsScreen: the workflow file compared with another version of it: a list of changes, one canvas with both, and the
// lines of the chosen change. The URL names the version (`with`) and the change (`at`).
//   S1. The list has everything that the canvas shows, for keyboards, screen readers, and phones.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { Suspense, useMemo } from "react";
import { at } from "../../api/address.ts";
import type { CommittedDocument } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { visible, visibleLine } from "../../base/visible.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { TopBar } from "../app/top-bar.tsx";
import { ask, askRaw, ownProblem, Refusal } from "../client/api.ts";
import { keys } from "../client/queries.ts";
import { textInTab } from "../editor/session.ts";
import { Ago } from "../ui/ago.tsx";
import { Empty } from "../ui/empty.tsx";
import { lazily } from "../ui/lazily.ts";
import { Failed } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Splitter, useSplit } from "../ui/splitter.tsx";
import { CANVAS, useMedia } from "../ui/use-media.ts";
import { ChangedLines, ChangeList, type Entry } from "./change-list.tsx";
import { type Comparison, compareVersions, countsOf } from "./versions.ts";
import { CompareMenu } from "./ways.tsx";

const VersionsCanvas = lazily(
  () => import("./versions-canvas.tsx"),
  (it) => it.VersionsCanvas,
);

const route = getRouteApi("/w/$path/compare");

interface Version {
  /** "git HEAD 3f2a91c" */
  name: string;
  text: string;
  at?: string;
  note?: string;
}

interface Absent {
  absent: string;
}

const SAVED = "saved";

const fileQuery = (path: string) =>
  queryOptions({
    // Under the key that a change of any document invalidates.
    queryKey: [...keys.workflows, "text", path],
    queryFn: async ({ signal }) =>
      (await askRaw(at("workflows", path), { signal, headers: { accept: "text/plain" } })).text(),
    staleTime: 0,
  });

const versionQuery = (path: string, version: string) =>
  queryOptions({
    queryKey: [...keys.workflows, "version", path, version],
    queryFn: ({ signal }): Promise<Version | Absent> =>
      version.startsWith("run:") ? ofRun(path, version.slice(4), signal) : atHead(path, signal),
    enabled: version !== SAVED,
    staleTime: 0,
  });

async function atHead(path: string, signal: AbortSignal): Promise<Version | Absent> {
  const found = await ask<CommittedDocument>(at("workflows", path, "head"), { signal });
  if (found.text === undefined) return { absent: found.absent ?? "" };
  return { name: `git HEAD ${found.commit?.slice(0, 7)}`, text: found.text, at: found.committedAt };
}

/** The document as the run recorded it, or the subflow. */
async function ofRun(path: string, run: string, signal: AbortSignal): Promise<Version> {
  const { items } = await ask<{ items: Extract<RunEvent, { type: "run.started" }>[] }>(at("runs", run, "events"), {
    signal,
    query: { limit: 1 },
  });
  const { workflow, subflows = {}, sealedDocument, at: startedAt } = items[0]!;
  const texts = Object.entries({ ...subflows, [workflow.file]: workflow.text });
  const [, text] = texts.find(([file]) => file === path || file.endsWith(`/${path}`)) ?? [];
  const other = `Run ${shortRunId(run)} is a run of another workflow`;
  if (text === undefined) throw new Refusal(ownProblem("other-workflow", other, { detail: workflow.file }));
  const note =
    sealedDocument === undefined ? undefined : "Secrets in the text of this run are hidden, so their lines differ.";
  return { name: `Run ${shortRunId(run)}`, text, at: startedAt, note };
}

export function VersionsScreen() {
  const { path } = route.useParams();
  const { with: version = "head" } = route.useSearch();
  const file = useQuery(fileQuery(path));
  const other = useQuery(versionQuery(path, version));
  const mine = useMemo(() => (file.data === undefined ? undefined : textInTab(path, file.data)), [path, file.data]);
  const isUnsaved = file.data !== undefined && mine !== file.data;
  const saved = file.data === undefined ? undefined : { name: "Saved file", text: file.data };
  const older = version === SAVED ? saved : other.data;
  const error = file.error ?? (version === SAVED ? null : other.error);
  const newer = isUnsaved ? "your unsaved edits" : "the current file";
  return (
    <>
      <TopBar
        title={`Compare ${path}`}
        actions={
          <>
            <CompareMenu {...{ path, isUnsaved }} run={version.startsWith("run:") ? version.slice(4) : undefined} />
            <Link
              to="/w/$path"
              params={{ path }}
              className="inline-flex h-8 items-center gap-1.5 rounded-lg border border-edge/60 bg-node px-3 font-medium hover:bg-hover"
            >
              <Pencil size={14} aria-hidden="true" /> Edit
            </Link>
          </>
        }
      />
      {older !== undefined && "absent" in older ? (
        <Empty title="git has no committed version of this file">
          {visible(older.absent)} Commit the file in a git repository to compare it with its last commit.
        </Empty>
      ) : older !== undefined && mine !== undefined ? (
        <Compared {...{ path, older, newer, mine }} />
      ) : error === null ? (
        <Skeleton className="p-6" />
      ) : (
        <div className="mx-auto max-w-3xl p-6">
          <Failed error={error} />
        </div>
      )}
    </>
  );
}

/** "git HEAD 3f2a91c (2 h ago) → the current file" */
function Names({ older: { name, at }, newer }: { older: Version; newer: string }) {
  return (
    <>
      {visibleLine(name)}
      {at !== undefined && (
        <>
          {" "}
          (<Ago at={at} />)
        </>
      )}{" "}
      → {newer}
    </>
  );
}

function Compared({ path, older, newer, mine }: { path: string; older: Version; newer: string; mine: string }) {
  const compared = useMemo(() => compareVersions(older.text, mine, path), [older.text, mine, path]);
  const { entries, drawn, unread } = compared;
  if (entries.length === 0)
    return (
      <Empty title="No differences">
        {visibleLine(older.name)} and {newer} have the same text.
      </Empty>
    );
  if (drawn !== undefined) return <Changes {...{ path, older, newer, entries, drawn }} />;
  return (
    <div className="mx-auto flex h-full max-w-4xl flex-col gap-4 overflow-y-auto p-4 *:shrink-0 sm:p-6">
      <p className="text-muted">
        <Names {...{ older, newer }} />
      </p>
      <Unread name={older.name} error={unread?.older} />
      <Unread name={newer} error={unread?.newer} />
      <ChangedLines entry={entries[0]!} />
    </div>
  );
}

function Unread({ name, error }: { name: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p className="rounded-lg border border-failed/50 bg-failed/5 p-4 break-words first-letter:uppercase">
      <strong>{visibleLine(name)}</strong> can't be drawn: {visible(error)}
    </p>
  );
}

interface ChangesProps {
  path: string;
  older: Version;
  newer: string;
  entries: readonly Entry[];
  drawn: NonNullable<Comparison["drawn"]>;
}

const PANEL = { initial: 420, min: 280, max: 720 };

function Changes({ path, older, newer, entries, drawn }: ChangesProps) {
  const { at: key = entries[0]!.key } = route.useSearch();
  const navigate = route.useNavigate();
  const isCanvas = useMedia(CANVAS);
  const panel = useSplit("versions-panel", PANEL.initial, PANEL.min, PANEL.max);
  const choose = (at: string) => void navigate({ to: ".", search: (before) => ({ ...before, at }), replace: true });
  const counts = countsOf(entries);
  const same = entries.some((entry) => entry.key === key) ? undefined : drawn.model.byId.get(key.slice(5));
  const edit = (node: string, { kind }: Entry) =>
    kind !== "removed" && (
      <Link to="/w/$path" params={{ path }} search={{ node }} className="text-accent underline">
        Edit this node
      </Link>
    );
  const list = (
    <ChangeList {...{ entries }} chosen={key} onChoose={choose} details={edit}>
      <div className="px-2">
        <p className="text-muted">
          <Names {...{ older, newer }} />
        </p>
        <p className="font-semibold">
          {counts === ""
            ? "Both versions run the same. Only comments, spelling or positions differ."
            : `Different: ${counts}`}
        </p>
        {older.note !== undefined && <p>{older.note}</p>}
        {same !== undefined && <p role="status">{same.title} is the same in both versions.</p>}
      </div>
    </ChangeList>
  );
  if (!isCanvas) return <div className="h-full overflow-y-auto bg-panel">{list}</div>;
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1">
        <Suspense fallback={<Skeleton className="p-6" />}>
          <VersionsCanvas {...{ drawn, chosen: key, onChoose: choose }} label={`Both versions of ${path}`} />
        </Suspense>
      </div>
      <Splitter label="Width of the changes" grows="left" {...panel} min={PANEL.min} max={PANEL.max} />
      <div style={{ width: panel.size }} className="max-w-1/2 shrink-0 overflow-y-auto bg-panel">
        {list}
      </div>
    </div>
  );
}
