// BrokenFiles: files with errors of which no trigger is known: what they say under `on:` starts nothing, and would be missed here.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { Triggers } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { workflowsQuery } from "../client/queries.ts";
import { count } from "../ui/words.ts";

const named = 5;

export function BrokenFiles({ known: { schedules, hooks, files } }: { known: Triggers }) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const told = new Set([...schedules, ...hooks, ...files].map(({ workflow }) => workflow));
  const broken = workflows.filter(({ errors, path }) => errors > 0 && !told.has(path));
  if (broken.length === 0) return null;
  return (
    <div role="note" className="mb-4 flex gap-2 rounded-md border border-line bg-sunken px-3 py-2">
      <TriangleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0 text-waiting" />
      <p className="min-w-0 break-words">
        {count(broken.length, "file has errors", "files have errors")}: what{" "}
        {broken.length === 1 ? "it says" : "they say"} under <span className="font-mono text-xs">on:</span> starts
        nothing until that is mended.{" "}
        {broken.slice(0, named).map(({ path }) => (
          <Link
            key={path}
            to="/w/$path"
            params={{ path }}
            className="mr-3 inline-block min-h-6 content-center font-mono text-xs text-accent underline"
          >
            {visibleLine(path)}
          </Link>
        ))}
        {broken.length > named && <span className="text-muted">and {broken.length - named} more</span>}
      </p>
    </div>
  );
}
