// diagnostics/trigger: findings about `on:` (spec 2.5).

import type { Diagnostic } from "../diagnostic.ts";
import { didYouMean, listed } from "../nearest.ts";
import { type At, error, said, warning } from "./base.ts";

export function triggerKind(at: At, seen: readonly string[]): Diagnostic {
  return error(
    at,
    "bad-trigger",
    seen.length === 0
      ? "This trigger says nothing."
      : `A trigger is one of schedule, webhook and file; this one has ${listed(seen)}.`,
    "Write each as its own entry: - schedule: { cron: … }",
  );
}

export function badCron(at: At, cron: string, why: string): Diagnostic {
  return error(
    at,
    "bad-cron",
    `"${said(cron)}" is not a cron expression. ${why}`,
    'It has five fields: minute, hour, day, month, weekday, such as "*/15 8-18 * * mon-fri".',
  );
}

export function unknownTimezone(at: At, zone: string): Diagnostic {
  return error(
    at,
    "unknown-timezone",
    `No time zone is called "${said(zone)}".`,
    "It is an IANA name such as Europe/Berlin, America/New_York or UTC.",
  );
}

export function duplicateSchedule(at: At): Diagnostic {
  return error(at, "duplicate-trigger", "The same schedule is here twice.", "Remove one of the two.");
}

export function webhookWithoutVerify(at: At): Diagnostic {
  return error(
    at,
    "webhook-without-verify",
    'This webhook does not say how a delivery proves where it comes from ("verify").',
    "Add verify: github, stripe, slack, standard-webhooks or token; verify: none lets in whoever knows the address.",
  );
}

export function webhookWithoutSecret(at: At, verify: string): Diagnostic {
  return error(
    at,
    "webhook-without-secret",
    `verify: ${said(verify)} needs a "secret" to check deliveries with.`,
    "Add secret: NAME, or verify: none.",
  );
}

export function webhookSecretUnknown(at: At, name: string, known: readonly string[]): Diagnostic {
  return error(
    at,
    "webhook-secret-undeclared",
    `"${said(name)}" is not among the document's secrets.${didYouMean(name, known)}`,
    `Add it: secrets: [${[...known, said(name)].join(", ")}]. Its value is never in the document.`,
  );
}

export function webhookUnverified(at: At): Diagnostic {
  return warning(
    at,
    "webhook-unverified",
    "verify: none: everyone who finds this hook's address can start runs with their data.",
    "If the sender can sign or send a token, say so with verify and secret.",
  );
}

export function webhookSecretUnused(at: At): Diagnostic {
  return warning(
    at,
    "webhook-secret-unused",
    'verify: none never looks at "secret".',
    "Say how the sender proves itself, or remove the secret.",
  );
}

export function badHookPath(at: At, path: string): Diagnostic {
  return error(
    at,
    "bad-hook-path",
    `"${said(path)}" cannot be the path of a hook.`,
    "It follows /h/ in the address: letters, digits, _, - and ., in parts between /, such as github or shop/orders.",
  );
}

export function badHookOrigin(at: At, origin: string): Diagnostic {
  return error(
    at,
    "bad-hook-origin",
    `"${said(origin)}" is not the origin of a site.`,
    "It is scheme, name and port and nothing behind it, as a browser sends it: https://shop.example.com.",
  );
}

export function duplicateHook(at: At, path: string, where: string): Diagnostic {
  return error(
    at,
    "duplicate-hook",
    `The hook path "${said(path)}" is taken already: ${where}.`,
    "A delivery starts one workflow; give this hook its own path.",
  );
}

export function badWatch(at: At, pattern: string, why: string): Diagnostic {
  return error(
    at,
    "bad-watch",
    `The watched path "${said(pattern)}" ${why}.`,
    'Paths are relative to the document, such as "inbox/*.json" or "data/**/*.csv".',
  );
}

export function emptyWatch(at: At, field: string): Diagnostic {
  return error(at, "empty-watch", `"${field}" of this file watch is empty: nothing would ever start a run.`);
}

export function triggerMissingInput(at: At, kind: string, input: string): Diagnostic {
  return error(
    at,
    "trigger-missing-input",
    `The input "${said(input)}" is required, and a ${kind} does not give it: no run could start.`,
    "Give it a default instead.",
  );
}

export function eventTaken(at: At, what: string): Diagnostic {
  return error(
    at,
    "event-taken",
    `${what} is called "event", which is the name of what the webhook or file watch brings.`,
    "Give it another name.",
  );
}
