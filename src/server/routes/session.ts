// Exchanges the one-time code of a login link for a session token, and ends sessions (spec 4.3 S4, S15).

import { type Handlers, json, noContent } from "../call.ts";
import { problem } from "../problem.ts";

export const sessionRoutes = {
  "POST /session": ({ body: { code } }, { sessions, log }) => {
    const session = sessions.login(code);
    if (session === "wrong") {
      log.warn("a login failed");
      return problem("login-code-invalid");
    }
    if ("afterMs" in session)
      return problem("too-many-tries", {}, { "retry-after": String(Math.ceil(session.afterMs / 1_000)) });
    log.info("a login");
    return json(session, 201);
  },

  "DELETE /session": ({ caller }, { sessions }) => {
    if (caller.session !== undefined) sessions.endSession(caller.session);
    return noContent();
  },
} satisfies Partial<Handlers>;
