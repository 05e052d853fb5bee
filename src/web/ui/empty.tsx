// Empty: an empty state: one sentence about what goes here, and one action.

import type { ReactNode } from "react";
import { DocsLink } from "./docs-link.tsx";

export function Empty({
  icon,
  title,
  children,
  action,
  docs,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** The page that says more, and its title. */
  docs?: readonly [page: string, title: string];
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-16 text-center">
      {icon !== undefined && <div className="mb-1 text-muted">{icon}</div>}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children !== undefined && <div className="text-muted">{children}</div>}
      {action !== undefined && <div className="mt-3 flex gap-2">{action}</div>}
      {docs !== undefined && (
        <DocsLink page={docs[0]} className="inline-flex min-h-6 items-center underline">
          {docs[1]}
        </DocsLink>
      )}
    </div>
  );
}
