// The parts of undici that `curlew http` loads.

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  export default EnvHttpProxyAgent;
}

declare module "undici/lib/interceptor/decompress.js" {
  import { interceptors } from "undici";

  const decompress: typeof interceptors.decompress;
  export default decompress;
}

declare module "undici/lib/interceptor/redirect.js" {
  import { interceptors } from "undici";

  const redirect: typeof interceptors.redirect;
  export default redirect;
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
