// problem: what can go wrong in one call of `curlew http`, with curl's exit code where it means the same (spec 3.6).

/** Exit codes that curl has, and from 110 on our own. */
export const HttpExit = {
  OK: 0,
  USAGE: 2,
  URL: 3,
  PROTOCOL: 1,
  PROXY: 5,
  RESOLVE: 6,
  CONNECT: 7,
  WEIRD: 8,
  HTTP2: 16,
  PARTIAL: 18,
  STATUS: 22,
  WRITE: 23,
  READ: 26,
  TIMEOUT: 28,
  TLS: 35,
  FAULT: 43,
  REDIRECTS: 47,
  EMPTY: 52,
  SEND: 55,
  RECEIVE: 56,
  CERTIFICATE: 60,
  CLIENT_CERTIFICATE: 58,
  ENCODING: 61,
  TOO_LARGE: 63,
  REWIND: 65,
  CA_FILE: 77,
  STREAM: 92,
  /** More pages than the maximum that nobody set. */
  PAGES_MAX: 110,
  /** A page came twice. */
  SAME_PAGE: 111,
  /** A page does not say what is needed to find the next. */
  PAGE_BROKEN: 112,
  /** An answer of GraphQL with errors. */
  GRAPHQL: 113,
} as const;

export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly exit: number;
  readonly code: string;
  readonly help: string | undefined;
  constructor(exit: number, code: string, message: string, help?: string) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.help = help;
  }
}

export function usage(code: string, message: string, help?: string): HttpProblem {
  return new HttpProblem(HttpExit.USAGE, code, message, help);
}
