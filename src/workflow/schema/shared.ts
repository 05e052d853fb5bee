// schema/shared: fields that more than one place of a document knows (spec 1.1, 1.2).

import * as z from "zod/mini";
import { about, duration, either, filled, flag, number, oneOf, opt, seen, text, whole } from "./kinds.ts";

export const title = filled("What people see.");

export const retry = z
  .object({
    maxAttempts: opt(whole("Attempts in all, the first one counted. Default 3.", 1, 1_000)),
    initialInterval: opt(duration("Wait before the second attempt. Default 1s.")),
    multiplier: opt(number("Each wait is this many times the one before. Default 2.", 1)),
    maxInterval: opt(duration("No wait is longer. Default 60s.")),
    maxDuration: opt(duration("No attempt starts later than this after the first.")),
    jitter: opt(oneOf(["full", "none"], "full: each wait is drawn between nothing and its length.")),
    respectRetryAfter: opt(flag("Wait as long as the server's Retry-After says. Default true.")),
    on: opt(
      either(
        [
          z.string(),
          z.object({
            exitCodes: opt(z.array(whole("An exit code.", 0, 255))),
            statuses: opt(z.array(whole("An HTTP status.", 100, 599))),
          }),
        ],
        "an expression, a list of exit codes (to 255) and HTTP statuses (400 to 599), or a map with exitCodes and statuses",
        "What is worth repeating: exit codes and HTTP statuses, also as one list, or an expression. Default: what passes by itself.",
      ),
    ),
  })
  .register(seen, about("Repeat after a failure."));

export const approval = z
  .object({
    prompt: opt(text("What the person is asked. A template.")),
    timeout: opt(duration("How long the approval may wait.")),
    onTimeout: opt(oneOf(["reject", "approve", "fail"], "What happens then. Default reject.")),
  })
  .register(seen, about("How the approval is asked."));

export const cache = z
  .object({
    key: filled("Same key, same answer. A template."),
    ttl: duration("How long an answer may be used again."),
  })
  .register(seen, about("Use a successful value again."));

export const egress = either(
  [z.enum(["https", "any"]), z.object({ allow: z.array(filled("A host name.")) })],
  'https, any, or a map with "allow"',
  "Where commands may connect to. Default https.",
);

export const authEntry = z
  .record(z.string(), z.string())
  .register(seen, about("How a request proves who sends it. Values are templates."));
export const auth = either(
  [filled("The name of an entry of the document's auth."), authEntry],
  "a name or a map",
  "Credentials handed over off the command line.",
);
export const onLost = oneOf(
  ["fail", "retry", "ask"],
  "What to do with an attempt that was running when the machine died. Default fail.",
);
export const continueOnError = flag("A failure is recorded and the run goes on with the output it has. Default false.");
export const timeout = duration("Time for one attempt.");
export const needsUserApproval = flag("A person must approve before it runs. Default false.");
