// client: the parts of undici that are needed, loaded only when a call is really made.

import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

export { Agent, ProxyAgent, request };
