// Describes this server and creates login links for it (spec 2.7, 4.3 S4).

import { homedir } from "node:os";
import type { Right, ServerInfo } from "../../api/shapes.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";
import { problem } from "../problem.ts";
import { ALL_RIGHTS } from "../security/sessions.ts";
import { hasOnly, memberOf } from "./body-text.ts";

export const serverRoutes = {
  "GET /server": (_call, { version, folder, hooksUrl, startedAt, demoUrl }) =>
    json({
      version,
      folder,
      userHome: homedir(),
      hooksUrl,
      startedAt,
      ...(demoUrl === undefined ? {} : { demoUrl }),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    } satisfies ServerInfo),

  "GET /openapi.json": async (_call, { version, url }) => {
    const { openApiDocument } = await import("../../api/openapi/document.ts");
    return json(openApiDocument(version, url));
  },

  /** `{ rights?: [...] }`: the rights of the new session. Absent: all. */
  "POST /server/login": ({ body }, context) => {
    const rights = memberOf(body, "rights") ?? ALL_RIGHTS;
    if (!hasOnly(body, ["rights"]) || !Array.isArray(rights) || !rights.every(isRight))
      return problem("bad-body", { detail: `It takes { "rights": […] }, some of ${ALL_RIGHTS.join(", ")}.` });
    return json({ url: loginLink(context, rights) }, 201);
  },
} satisfies Partial<Handlers>;

/**
 * A link that opens the editor once, for a short time. The code follows `#`, so browsers do not send it to any server.
 */
export function loginLink(
  { shownUrl, sessions }: Pick<ServerContext, "shownUrl" | "sessions">,
  rights?: readonly Right[],
): string {
  return `${shownUrl}/#code=${sessions.newCode(rights)}`;
}

function isRight(value: unknown): value is Right {
  return ALL_RIGHTS.includes(value as Right);
}
