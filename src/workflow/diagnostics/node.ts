// diagnostics/node: findings about nodes and their fields.

import { limits } from "../../base/limits.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

export function badNodeId(at: At, id: string): Diagnostic {
  const why = id.length > limits.idCharsMax ? `is longer than ${limits.idCharsMax} characters` : "is not an id";
  return error(
    at,
    "bad-node-id",
    `"${said(id)}" ${why}.`,
    "An id begins with a letter or _, and goes on with letters, digits, _ and -.",
  );
}

export function duplicateNodeId(at: At, id: string, line: number): Diagnostic {
  return error(
    at,
    "duplicate-node-id",
    `A node with the id "${said(id)}" already stands on line ${line}.`,
    "Ids are unique in a document.",
  );
}

export function unknownNodeType(at: At, type: string, types: readonly string[]): Diagnostic {
  return error(
    at,
    "unknown-node-type",
    `There is no node type "${said(type)}".${didYouMean(type, types)}`,
    `Types are ${listed(types, 20)}.`,
  );
}

export function defaultForNone(at: At, field: string, known: readonly string[]): Diagnostic {
  return error(
    at,
    "unknown-field",
    `No kind of node has a field "${said(field)}", so it cannot be a default.${didYouMean(field, known)}`,
  );
}

export function noNodes(at: At): Diagnostic {
  return warning(at, "no-nodes", "This workflow has no nodes: a run does nothing.");
}
