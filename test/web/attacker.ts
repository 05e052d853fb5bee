// attacker: another site in the same browser, on another port of this machine and under a name that first leads to the
// site and then to Curlew (DNS rebinding). On 127.0.0.2 and Curlew's port it answers connections, or passes them on to
// Curlew byte for byte.
//   K1. Vectors run inside the site's page (`vectors.ts`), with its origin and with what the browser sends automatically.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createRelay, type Socket } from "node:net";

/** `--host-resolver-rules` makes it 127.0.0.2. */
export const EVIL_NAME = "evil.test";
export const EVIL_ARGS = [`--host-resolver-rules=MAP ${EVIL_NAME} 127.0.0.2`];

export interface Attacker {
  /** On another port of 127.0.0.1. */
  url: string;
  /** `http://evil.test:PORT-OF-CURLEW`. */
  rebound: string;
  /** From now on the name leads to Curlew. */
  rebind(): void;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Free prizes</title><p>Free prizes</p>`;

const site: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", connection: "close" }).end(PAGE);
};

export async function attack(curlew: string): Promise<Attacker> {
  const port = Number(new URL(curlew).port);
  const own = createServer(site).listen(0, "127.0.0.1");
  await once(own, "listening");
  const ownPort = (own.address() as AddressInfo).port;
  let leadsTo = ownPort;
  const sockets = new Set<Socket>();
  const name = createRelay((from) => {
    const to = connect(leadsTo, "127.0.0.1");
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one));
    }
  }).listen(port, "127.0.0.2");
  await once(name, "listening");
  return {
    url: `http://127.0.0.1:${ownPort}`,
    rebound: `http://${EVIL_NAME}:${port}`,
    rebind: () => {
      leadsTo = port;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      own.closeAllConnections();
      await Promise.all([own, name].map((one) => new Promise((done) => one.close(done))));
    },
  };
}
