// proxy: stands between a program and PostgreSQL, counts statements, and breaks the connection at one of them.
//   X1. A statement is what ends with Sync, or a simple Query. Sign-in is not counted.

import { createServer, type Server, type Socket, connect as tcp } from "node:net";

/**
 * `unsent`: the statement never arrives. `unanswered`: it is carried out, and its answer is lost.
 * `half-sent`, `half-answered`: the connection breaks after some of the bytes. `left`: it breaks when the statement has
 * arrived, and may still be under way.
 */
export type Break = "unsent" | "unanswered" | "half-sent" | "half-answered" | "left";
export const BREAKS: readonly Exclude<Break, "left">[] = ["unsent", "unanswered", "half-sent", "half-answered"];

export interface FaultProxy {
  port: number;
  /** Statements so far. */
  count(): number;
  /** Breaks the connection at the `n`-th statement from now. */
  breakAt(n: number, how: Break): void;
  /** Whether the break has happened. */
  broke(): boolean;
  /** Neither direction passes until `join`. Connections stay open. */
  cut(): void;
  join(): void;
  /** New connections: the server ends each together with its greeting, as it does when it restarts. */
  endGreeted(): void;
  close(): Promise<void>;
}

export async function startProxy(target: number): Promise<FaultProxy> {
  const links = new Set<Link>();
  const state: State = { count: 0, at: undefined, how: "unsent", broke: false, isCut: false, endsGreeted: false };
  const server: Server = createServer((client) => {
    const link = new Link(client, tcp(target, "127.0.0.1"), state);
    links.add(link);
    client.once("close", () => links.delete(link));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    count: () => state.count,
    broke: () => state.broke,
    breakAt: (n, how) => Object.assign(state, { at: state.count + n, how, broke: false }),
    cut: () => {
      state.isCut = true;
    },
    join: () => {
      state.isCut = false;
      for (const link of links) link.flush();
    },
    endGreeted: () => {
      state.endsGreeted = true;
    },
    close: async () => {
      for (const link of links) link.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  count: number;
  at: number | undefined;
  how: Break;
  broke: boolean;
  isCut: boolean;
  endsGreeted: boolean;
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const ENDED = errorOf("57P01", "terminating connection due to administrator command");

function errorOf(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

class Link {
  private readonly client: Socket;
  private readonly server: Socket;
  private readonly state: State;
  private pending = Buffer.alloc(0);
  private held: (() => void)[] = [];
  private started = false;
  /** The answer of this link is lost. */
  private losing = false;

  constructor(client: Socket, server: Socket, state: State) {
    this.client = client;
    this.server = server;
    this.state = state;
    client.on("data", (bytes) => this.passing(() => this.fromClient(bytes)));
    server.on("data", (bytes) => this.passing(() => this.fromServer(bytes)));
    for (const socket of [client, server]) socket.on("error", () => this.end()).on("close", () => this.end());
  }

  private passing(work: () => void): void {
    if (this.state.isCut) this.held.push(work);
    else work();
  }

  flush(): void {
    for (const work of this.held.splice(0)) work();
  }

  end(): void {
    this.client.destroy();
    this.server.destroy();
  }

  private fromClient(bytes: Buffer): void {
    this.pending = Buffer.concat([this.pending, bytes]);
    const whole: Buffer[] = [];
    for (let message = this.next(); message !== undefined; message = this.next()) {
      whole.push(message);
      if (!this.started) this.started = message.readInt32BE(4) === 196_608;
      else if (message[0] === 0x51 || message[0] === 0x53) {
        if (this.counted(Buffer.concat(whole))) return;
        this.server.write(Buffer.concat(whole.splice(0)));
      }
    }
    if (whole.length > 0) this.server.write(Buffer.concat(whole));
  }

  private next(): Buffer | undefined {
    const at = this.started ? 1 : 0;
    if (this.pending.length < at + 4) return undefined;
    const length = at + this.pending.readInt32BE(at);
    if (this.pending.length < length) return undefined;
    const message = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    return message;
  }

  /** Whether the statement does not pass. */
  private counted(statement: Buffer): boolean {
    this.state.count += 1;
    if (this.state.count !== this.state.at) return false;
    const { how } = this.state;
    this.state.broke = true;
    if (how === "half-sent") this.server.write(statement.subarray(0, Math.floor(statement.length / 2)));
    if (how === "unanswered" || how === "half-answered") {
      this.losing = true;
      return false;
    }
    if (how === "left") this.server.write(statement, () => this.end());
    else this.end();
    return true;
  }

  private fromServer(bytes: Buffer): void {
    if (this.state.endsGreeted && bytes.subarray(-READY.length).equals(READY)) {
      this.client.end(Buffer.concat([bytes, ENDED]));
      return;
    }
    if (!this.losing) {
      this.client.write(bytes);
      return;
    }
    if (this.state.how === "half-answered") this.client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    // ReadyForQuery is the last message of an answer: the statement has been carried out.
    if (bytes.at(-6) === 0x5a || this.state.how === "half-answered") setTimeout(() => this.end(), 1);
  }
}
