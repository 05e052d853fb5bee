// schema/shared: fields that occur in several places of a workflow (spec 1.1, 1.2).

import * as z from "zod/mini";
import { about, duration, either, filled, flag, number, oneOf, opt, seen, text, whole, words } from "./fields.ts";

export const title = filled("Title of the node.");
export const variableName = filled("Name of the value. Nodes refer to it as ${name}.");

export const retry = z
  .object({
    maxAttempts: opt(whole("Attempts in total. Default 3.", 1, 1_000)),
    initialInterval: opt(duration("Wait before the second attempt. Default 1s.")),
    multiplier: opt(number("Each wait is this many times the one before. Default 2.", 1)),
    maxInterval: opt(duration("No wait is longer. Default 60s.")),
    maxDuration: opt(duration("No attempt starts later than this after the first one.")),
    jitter: opt(oneOf(["full", "none"], "full waits a random part of each wait, none all of it. Default full.")),
    respectRetryAfter: opt(flag("Waits as long as the server asks (Retry-After). Default true.")),
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
        "Failures to repeat: exit codes, HTTP statuses, or an expression. Default: temporary failures.",
      ),
    ),
  })
  .register(seen, about("Repeat after a failure."));

export const approval = z
  .object({
    prompt: opt(text("Question that the approver sees. A template.")),
    timeout: opt(duration("Time limit for the decision.")),
    onTimeout: opt(oneOf(["reject", "approve", "fail"], "Decision if no one decides in time. Default reject.")),
  })
  .register(seen, about("Question and time limit of the approval."));

export const cache = z
  .object({
    key: filled("Nodes with the same key reuse the value. A template."),
    ttl: duration("How long a value may be reused."),
  })
  .register(seen, about("Reuse a successful value."));

export const egress = either(
  [z.enum(["https", "any"]), z.object({ allow: z.array(filled("A host name.")) })],
  'https, any, or a map with "allow"',
  "Hosts that commands may connect to. Default https.",
);

export const authEntry = z
  .record(z.string(), z.string())
  .register(seen, about("How a request proves who sends it. Values are templates."));
export const auth = either(
  [filled("The name of an entry of the document's auth."), authEntry],
  "a name or a map",
  "Credentials for curl, kept off the command line.",
);
export const onLost = oneOf(
  ["fail", "retry", "ask"],
  "Applies if Curlew can't tell whether the attempt finished (lost). Default fail.",
);
export const continueOnError = flag("If the node fails, the run continues with the output it has. Default false.");
export const streamOutput = flag(
  "true prints each line as it comes. Default: progress shows the newest one. false: progress shows none.",
);
export const timeout = duration("Ends the attempt after this long.");
export const needsUserApproval = flag("Someone must approve it before it runs. Default false.");

export const runsOn = words("Labels that the machine of the run must have. If one is missing, the run does not start.");
export const subflowRunsOn = words(
  "Labels that the machine of the subflow must have. It may be another one in a cluster.",
);
