// problem: the ways one call of `curlew http` can fail, with curl's exit code where the meaning is the same (spec 3.6).

/** Exit codes of curl, and our own from 110. */
export const HttpExit = {
  OK: 0,
  PROTOCOL: 1,
  USAGE: 2,
  URL: 3,
  PROXY: 5,
  RESOLVE: 6,
  CONNECT: 7,
  WEIRD: 8,
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
  CLIENT_CERTIFICATE: 58,
  CERTIFICATE: 60,
  ENCODING: 61,
  TOO_LARGE: 63,
  REWIND: 65,
  CA_FILE: 77,
  STREAM: 92,
  /** More pages than the default maximum. */
  PAGES_MAX: 110,
  /** The same page came twice. */
  SAME_PAGE: 111,
  /** A page lacks the data needed to find the next one. */
  PAGE_BROKEN: 112,
  /** A GraphQL response with errors. */
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
