// Describes this server and creates login links for it (spec 2.7, 4.3 S4).

import { homedir } from "node:os";
import type { Right, ServerInfo } from "../../api/shapes.ts";
import { type Handlers, json } from "../call.ts";
import type { ServerContext } from "../context.ts";

export const serverRoutes = {
  "GET /server": (_call, { version, folder, hooksUrl, startedAt, demoUrl, engine }) =>
    json({
      version,
      folder,
      userHome: homedir(),
      hooksUrl,
      startedAt,
      demoUrl,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      cluster: engine.machines === undefined ? undefined : true,
    } satisfies ServerInfo),

  "GET /metrics": async (_call, { metrics }) => {
    const { text, type } = await metrics.text();
    return new Response(text, { headers: { "content-type": type } });
  },

  "GET /openapi.json": async (_call, { version, url }) => {
    const { openApiDocument } = await import("../../api/openapi/document.ts");
    return json(openApiDocument(version, url));
  },

  /** `{ rights?: [...] }`: the rights of the new session. Absent: all. */
  "POST /server/login": ({ body: { rights } }, context) => json({ url: loginLink(context, rights) }, 201),
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
