// settings: the words of the options as numbers. Exit code 2 for what cannot be read.

import { parseDuration, parseSize } from "../../base/duration.ts";
import { limits } from "../../base/limits.ts";
import type { NetworkSettings } from "./network.ts";
import type { HttpOptions } from "./options.ts";
import { usage } from "./problem.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function networkSettings(options: HttpOptions, env: Env): NetworkSettings {
  const maxMs = time("--max-time", options.maxTime);
  return {
    cacert: options.cacert,
    cert: options.cert,
    key: options.key,
    http11: options.http11 === true,
    connectMs: time("--connect-timeout", options.connectTimeout) ?? limits.httpConnectMs,
    maxMs,
    idleMs: Math.max(limits.httpIdleMs, maxMs ?? 0),
    bytesMax: size("--max-filesize", options.maxFilesize),
    env,
  };
}

export function repeating(options: HttpOptions) {
  return {
    redirectsMax: count("--max-redirs", options.maxRedirs) ?? limits.httpRedirectsMax,
    retries: count("--retry", options.retry) ?? 0,
    retryDelayMs: time("--retry-delay", options.retryDelay) ?? 1_000,
    retryMaxMs: time("--retry-max-time", options.retryMaxTime),
    retryUnsafe: options.retryUnsafe === true,
  };
}

/** `30s`, `2m`, or seconds as curl has them. */
function time(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
  if (parsed.ok && parsed.value > 0) return Math.min(parsed.value, 2_147_483_647);
  throw usage("invalid-value", `"${option} ${text}" is no time.`, `${option} 30s`);
}

function size(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A letter alone is curl's: 1k is 1024 bytes.
  const parsed = parseSize(
    text.replace(/^(\d+)(?:([kmg])|b?)$/i, (_, n, unit) => `${n}${unit ? `${unit.toUpperCase()}iB` : "B"}`),
  );
  if (parsed.ok) return parsed.value;
  throw usage("invalid-value", `"${option} ${text}" is no size.`, `${option} 10MB`);
}

function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^(?:0|[1-9]\d{0,5})$/.test(text)) return Number(text);
  throw usage("invalid-value", `"${option} ${text}" is no whole number from 0.`, `${option} 3`);
}
