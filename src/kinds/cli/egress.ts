// egress: the network proxy for a command whose node or workflow has `egress: { allow: [hosts] }` (spec 4.2).
//   G1. With a list, Curlew sets the command's proxy settings. The user's own do not apply.
//   G2. In a sandbox without a network the proxy is the only connection. Elsewhere a program that ignores proxy
//       settings can bypass it.

import { randomBytes } from "node:crypto";
import type { Failure } from "../../base/failure.ts";
import type { EgressCall } from "../../process/egress-proxy.ts";
import type { Order } from "../../process/runner/orders.ts";
import type { SandboxSpec } from "../../process/sandbox.ts";
import type { CliNode, Workflow } from "../../workflow/model.ts";

/** Port of the proxy inside a network namespace, where nothing else listens. */
const INNER_PORT = 4788;

export interface EgressRoute {
  /** For the command's environment. */
  variables: Record<string, string>;
  /** For curl's configuration, because a proxy in the user's .curlrc would take precedence. */
  proxy: string;
  order: Pick<Order, "egress">;
  door?: { node: string; port: number };
}

export function allowedHosts(node: CliNode, workflow: Workflow): readonly string[] | undefined {
  const egress = node.data.egress ?? workflow.egress;
  return typeof egress === "object" ? egress.allow : undefined;
}

/** `port`: port of the runner's proxy. The token is valid for this attempt only. */
export function egressRoute(port: number, allow: readonly string[], sandbox: SandboxSpec | undefined): EgressRoute {
  const token = randomBytes(24).toString("base64url");
  const enforced = sandbox !== undefined && sandbox.mode !== "read-only";
  const url = `http://curlew:${token}@127.0.0.1:${enforced ? INNER_PORT : port}`;
  const variables = Object.fromEntries(
    ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
      [name, url],
      [name.toUpperCase(), url],
    ]),
  );
  return {
    variables: { ...variables, no_proxy: "", NO_PROXY: "" },
    proxy: url,
    order: { egress: { allow, token } },
    door: enforced ? { node: process.execPath, port: INNER_PORT } : undefined,
  };
}

/** Adds the rejected call to a failure that it may have caused. */
export function withRefusal(failure: Failure, calls: readonly EgressCall[] | undefined): Failure {
  const call = calls?.findLast(({ refused }) => refused !== undefined);
  if (call === undefined || failure.code === "timed-out") return failure;
  return {
    code: "egress-refused",
    message: `Curlew blocked a call to ${call.host}:${call.port}: ${call.refused}. ${failure.message}`,
    hint: 'The hosts that may be called are listed in "egress: { allow: [...] }" of the node or the document. Calls must be https.',
  };
}
