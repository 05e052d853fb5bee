// CompareMenu: the versions that a workflow file can be compared with, as actions and as a menu.

import { useNavigate } from "@tanstack/react-router";
import { GitCommitHorizontal, GitCompareArrows, History, Save } from "lucide-react";
import type { ReactNode } from "react";
import { shortRunId } from "../../base/ids.ts";
import { type Action, useActions } from "../app/actions.ts";
import { sentence } from "../client/queries.ts";
import { lastRun } from "../inspector/last-values.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";

interface CompareMenuProps {
  path: string;
  run: string | undefined;
  /** This tab has edits that the file does not have. */
  isUnsaved: boolean;
}

export function CompareMenu({ path, run, isUnsaved }: CompareMenuProps) {
  const compareWith = useCompareWith(path);
  const withRun = () =>
    lastRun(path, run).then(
      (id) => (id === undefined ? toast("Not run yet. Press R to run it.") : compareWith(`run:${id}`)),
      (reason: unknown) => toast(sentence(reason)),
    );
  const which = run === undefined ? "the last run" : `run ${shortRunId(run)}`;
  const ways: Action[] = [
    { id: "compare.head", title: "Compare with git HEAD", run: () => compareWith("head") },
    { id: "compare.run", title: `Compare with ${which}`, run: () => void withRun() },
  ];
  if (isUnsaved)
    ways.push({ id: "compare.saved", title: "Compare with the saved file", run: () => compareWith("saved") });
  useActions(
    "Versions",
    ways.map((way) => ({ ...way, words: "diff changes version commit" })),
  );
  return (
    <Menu
      label="Compare with"
      items={ways.map(({ id, title, run }) => ({ label: title, icon: ICONS[id], onSelect: run }))}
      trigger={
        <IconButton label="Compare with another version" icon={<GitCompareArrows size={16} aria-hidden="true" />} />
      }
    />
  );
}

const ICONS: Record<string, ReactNode> = {
  "compare.head": <GitCommitHorizontal size={14} />,
  "compare.run": <History size={14} />,
  "compare.saved": <Save size={14} />,
};

/** `version`: "head", "saved", or "run:ID". */
export function useCompareWith(path: string) {
  const navigate = useNavigate();
  return (version: string) => void navigate({ to: "/w/$path/compare", params: { path }, search: { with: version } });
}
