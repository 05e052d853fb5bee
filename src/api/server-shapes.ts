// server-shapes: of the shapes of the API, those about the server itself: sessions, the demo. shapes.ts hands them on.

import type { Right } from "./shapes.ts";

/** `POST /session` takes the one-time code of the link, once; the token is good until the server stops. */
export interface SessionRequest {
  code: string;
}

export interface Session {
  token: string;
  rights: Right[];
}

/** `POST /demo`: the sample API runs, and this workflow of the folder calls it by its input `api`. */
export interface Demo {
  path: string;
  url: string;
}
