// The parts of undici that `curlew http` loads: all of it takes three times as long to load.

declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import { ProxyAgent } from "undici";
  export default ProxyAgent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  type Done = (reason: Error | null, answer: Dispatcher.ResponseData) => void;
  export default function request(this: Dispatcher, options: Dispatcher.RequestOptions, done: Done): void;
}

declare module "undici/lib/api/api-connect.js" {
  export default function connect(): void;
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export default Dispatcher;
}
