// diagnostics/trigger: findings about `on:` (spec 2.5).

import { didYouMean, listed } from "../nearest.ts";
import { error, excerpt, warning } from "./base.ts";

export const triggerKind = error("bad-trigger", (kinds: readonly string[], seen: readonly string[]) => [
  seen.length === 0
    ? "This trigger is empty."
    : `A trigger has one of ${listed(kinds)}, but this one has ${listed(seen)}.`,
  "Write one entry per trigger: - schedule: { cron: … }",
]);
export const badCron = error("bad-cron", (cron: string, why: string) => [
  `"${excerpt(cron)}" is not a valid cron expression. ${why}`,
  'It has five fields: minute, hour, day, month, weekday, such as "*/15 8-18 * * mon-fri".',
]);
export const unknownTimezone = error("unknown-timezone", (zone: string) => [
  `Unknown time zone "${excerpt(zone)}".`,
  "Use an IANA name such as Europe/Berlin, America/New_York, or UTC.",
]);
export const duplicateSchedule = error("duplicate-trigger", () => [
  "This schedule appears twice.",
  "Remove one of them.",
]);
export const webhookWithoutVerify = error("webhook-without-verify", () => [
  'This webhook has no "verify", so Curlew does not know how to check deliveries.',
  "Add verify: github, stripe, slack, standard-webhooks, or token. With verify: none, everyone who knows the URL can start runs.",
]);
export const webhookWithoutSecret = error("webhook-without-secret", (verify: string) => [
  `verify: ${excerpt(verify)} needs a "secret" for checking deliveries.`,
  "Add secret: NAME, or verify: none.",
]);
export const webhookSecretUnknown = error("webhook-secret-undeclared", (name: string, known: readonly string[]) => [
  `"secrets" of this workflow does not list "${excerpt(name)}".${didYouMean(name, known)}`,
  `Add it: secrets: [${[...known, excerpt(name)].join(", ")}]. The file never contains its value.`,
]);
export const webhookUnverified = warning("webhook-unverified", () => [
  "With verify: none, everyone who knows the URL of this webhook can start runs with their data.",
  "If the sender can sign deliveries or send a token, set verify and secret.",
]);
export const webhookSecretUnused = warning("webhook-secret-unused", () => [
  '"secret" has no effect with verify: none.',
  "Set verify, or remove the secret.",
]);
export const badHookPath = error("bad-hook-path", (path: string) => [
  `"${excerpt(path)}" is not a valid path of a webhook.`,
  "The path follows /h/ in the URL. Use letters, digits, _, -, and ., with / between parts, such as github or shop/orders.",
]);
export const badHookOrigin = error("bad-hook-origin", (origin: string) => [
  `"${excerpt(origin)}" is not a valid origin.`,
  "Write only scheme, host, and port, as a browser sends them: https://shop.example.com.",
]);
export const duplicateHook = error("duplicate-hook", (path: string, where: string) => [
  `The webhook path "${excerpt(path)}" is already used ${where}.`,
  "Use another path, because a delivery starts one workflow.",
]);
export const badWatch = error("bad-watch", (pattern: string, why: string) => [
  `The watched path "${excerpt(pattern)}" ${why}.`,
  'Paths are relative to the document, such as "inbox/*.json" or "data/**/*.csv".',
]);
export const emptyWatch = error("empty-watch", (field: string) => [
  `"${field}" of this file watch is empty, so it would never start a run.`,
]);
export const triggerMissingInput = error("trigger-missing-input", (kind: string, input: string) => [
  `The input "${excerpt(input)}" is required, but a ${kind} does not provide it, so no run could start.`,
  "Replace required with a default.",
]);
export const eventTaken = error("event-taken", (what: string) => [
  `${what} is called "event", but webhooks and file watches use this name for what happened.`,
  "Rename it.",
]);
