// client: the needed parts of undici, loaded only for a call, because all of undici takes three times as long to load.

import connect from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import decompress from "undici/lib/interceptor/decompress.js";
import redirect from "undici/lib/interceptor/redirect.js";

// The proxy agent opens tunnels with this method, which undici's index normally adds.
Object.assign(Dispatcher.prototype, { connect });

export const client = { decompress, EnvHttpProxyAgent, redirect, request };
