// RunLink: a link to a run, or to a node in it.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface RunLinkProps {
  id: string;
  /** The path of a node. */
  node?: string;
  className?: string;
  children: ReactNode;
}

export function RunLink({ id, node, className = "text-accent underline", children }: RunLinkProps) {
  return (
    <Link to="/runs/$id" params={{ id }} search={{ node }} className={className}>
      {children}
    </Link>
  );
}
