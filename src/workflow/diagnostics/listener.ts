// diagnostics/listener: findings about nodes with `emit: lines` (spec 3.7).

import type { Diagnostic } from "../diagnostic.ts";
import { type At, error, said, warning } from "./base.ts";

export function listenerInLoop(at: At, node: string, around: string, listener: boolean): Diagnostic {
  return error(
    at,
    "listener-in-loop",
    listener
      ? `"${said(node)}" says emit: lines and comes after the listener "${said(around)}": it would be started for each of its lines.`
      : `"${said(node)}" says emit: lines and is in loop "${said(around)}", which could not continue before the listener ends.`,
    "Place it beside the loop, without an edge from there. Or put it into a separate workflow, and run that with a subflow node.",
  );
}

export function listenerErrorIntoBody(at: At, node: string, listener: string): Diagnostic {
  return error(
    at,
    "listener-error-into-body",
    `"${said(node)}" runs for every line of "${said(listener)}", so the error branch, taken when that has ended, cannot lead to it.`,
    "Lead the error branch to its own nodes.",
  );
}

export function listenerWithoutEdges(at: At, node: string): Diagnostic {
  return warning(
    at,
    "listener-without-edges",
    `"${said(node)}" says emit: lines, and there is no node after it that a line could start.`,
    `Draw an edge from it, or remove "emit".`,
  );
}

export function listenerInFinally(at: At, node: string): Diagnostic {
  return error(
    at,
    "listener-in-finally",
    `"${said(node)}" runs at the end of the run ("finally"), so its lines cannot start nodes.`,
    `Remove "emit"; the value of a finally node is its whole output.`,
  );
}

export function emitWithout(at: At, field: string, wanted: string): Diagnostic {
  return error(
    at,
    "emit-field-without-effect",
    `"${field}" of a command means something only with "${wanted}".`,
    `Add "${wanted}", or remove "${field}".`,
  );
}

export function emitWithCache(at: At, node: string): Diagnostic {
  return error(
    at,
    "emit-with-cache",
    `"${said(node)}" says emit: lines; a listener's lines happen once, so there is nothing to keep for the next time.`,
    `Remove "cache"; a node after it may have one.`,
  );
}

export function emitWithLines(at: At, node: string): Diagnostic {
  return error(
    at,
    "emit-with-lines",
    `"${said(node)}" says emit: lines, so each line is its own value, never a list of lines.`,
    `Say "format: json" when every line is JSON, or remove "format".`,
  );
}

export function listenerSecret(at: At, node: string): Diagnostic {
  return error(
    at,
    "listener-secret",
    `A secret Variable takes its value from the lines of "${said(node)}". Output of a listener is kept in a file, and a secret is not.`,
    "Fetch the secret in a node after it, whose value the Variable takes.",
  );
}

export function listenerOutcome(at: At, node: string, listener: string): Diagnostic {
  return error(
    at,
    "listener-outcome",
    `"${said(node)}" has no condition, so it asks whether "${said(listener)}" succeeded; when a line comes, that has not ended.`,
    'Say what to ask of the line, such as inputs[0].status = "open", or draw the edge from "error".',
  );
}

export function outputOfLines(at: At, id: string, listener: string): Diagnostic {
  return error(
    at,
    "output-in-loop",
    `"output" names "${said(id)}", which has one value for each line of "${said(listener)}".`,
    "Collect what is wanted in an Accumulator after it, and name a Text node, without an edge from there, that reads its variable.",
  );
}
