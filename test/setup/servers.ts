// servers: a pair of real servers that record each request: one plain, one with the sample API's test certificate.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const TLS = join(import.meta.dirname, "../../examples/sample-api/tls");
/** For `curl --cacert`. The certificate is for localhost and 127.0.0.1. */
export const CA_FILE = join(TLS, "ca.pem");
/** For a TLS server. */
export const TLS_FILES = {
  key: readFileSync(join(TLS, "server-test-only.key")),
  cert: readFileSync(join(TLS, "server.pem")),
};

export interface Arrived {
  url: string;
  headers: IncomingMessage["headers"];
  tls: boolean;
}

export interface Servers {
  httpPort: number;
  httpsPort: number;
  arrived: Arrived[];
}

/**
 * `/to?URL` redirects to that URL. `/hold` answers when `release` is called (`held` resolves when the first such call
 * arrives). Any other path is answered with "ok". Closed after the test.
 */
export async function servers(): Promise<Servers & { release(): void; held: Promise<undefined> }> {
  const arrived: Arrived[] = [];
  const first = Promise.withResolvers<undefined>();
  const held: (() => void)[] = [];
  const listener =
    (tls: boolean): RequestListener =>
    (request, response) => {
      const url = request.url ?? "";
      arrived.push({ url, headers: request.headers, tls });
      if (url.startsWith("/to?")) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end();
      else if (url === "/hold") {
        held.push(() => response.end("ok\n"));
        first.resolve(undefined);
      } else response.end("ok\n");
    };
  const plain = createServer(listener(false));
  const secure = createTlsServer(TLS_FILES, listener(true));
  const [httpPort, httpsPort] = [await open(plain), await open(secure)];
  const release = (): void => held.splice(0).forEach((answer) => void answer());
  return { httpPort, httpsPort, arrived, release, held: first.promise };
}

async function open(server: Server & { closeAllConnections(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
