// client: the parts of undici that are needed, loaded only when a call is really made.

import connect from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

// The proxy asks its own client for a tunnel by this name, which undici's index adds.
Object.assign(Dispatcher.prototype, { connect });

export { Agent, ProxyAgent, request };
