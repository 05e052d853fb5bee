// target: reads the URL of a database, and decides how to connect.
//   U1. Without TLS only to this machine: elsewhere the certificate is checked, and there is no setting that turns it off.
//   U2. `shown` never contains the password.

import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { userInfo } from "node:os";
import type { ConnectionOptions } from "node:tls";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { databaseUrl, type StoreError } from "../error.ts";
import { passwordFor } from "./passfile.ts";

export interface Target {
  /** Settings of `pg`. */
  config: {
    host: string;
    port: number;
    user: string;
    password: string;
    database: string;
    ssl: ConnectionOptions | false;
    application_name: string;
    connectionTimeoutMillis: number;
    keepAlive: true;
  };
  /** The same URL without its password. */
  shown: string;
}

const PARAMETERS = new Set(["host", "port", "sslmode", "sslrootcert", "application_name"]);
const CHECKED = new Set(["require", "verify-ca", "verify-full"]);

/** Errors: database-url. */
export function targetOf(text: string): Result<Target, StoreError> {
  const url = parsed(text);
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    return err(databaseUrl("It has the form postgres://USER@HOST:PORT/DATABASE."));
  const query = url.searchParams;
  const unknown = [...query.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined)
    return err(databaseUrl(`It has the parameter "${unknown}", but only ${[...PARAMETERS].join(", ")} are known.`));
  const host =
    query.get("host") ??
    (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || process.env.PGHOST || "localhost");
  const port = query.get("port") ?? url.port;
  const ssl = tlsOf(host, query.get("sslmode"), query.get("sslrootcert"));
  if (!ssl.ok) return ssl;
  const name = (value: string, otherwise: string | undefined): string =>
    decodeURIComponent(value) || otherwise || userInfo().username;
  const user = name(url.username, process.env.PGUSER);
  const asked = { host, port: Number(port || process.env.PGPORT || 5432), user };
  const database = name(url.pathname.slice(1), process.env.PGDATABASE ?? user);
  const given = decodeURIComponent(url.password) || process.env.PGPASSWORD;
  const kept = given ? ok(given) : passwordFor({ ...asked, database });
  if (!kept.ok) return kept;
  const shown = new URL(url);
  shown.password = "";
  return ok({
    shown: shown.href,
    config: {
      ...asked,
      database,
      // Not undefined: `pg` would look for it once more.
      password: kept.value ?? "",
      ssl: ssl.value,
      application_name: query.get("application_name") ?? "curlew",
      connectionTimeoutMillis: limits.databaseConnectMs,
      keepAlive: true,
    },
  });
}

/** With a user and without a host, as PostgreSQL's programs take it for a socket, it would not be a URL. */
function parsed(text: string): URL | undefined {
  const url = text.replace(/^(postgres(?:ql)?:\/\/[^/?@]*@)(?=\/)/, "$1localhost");
  return URL.canParse(url) ? new URL(url) : undefined;
}

/**
 * U1 for a client that reads URLs itself: the same place, with the password and the way of TLS. For memory only, never
 * shown.
 */
export function dialedUrl(text: string): string {
  const target = targetOf(text);
  if (!target.ok) return text;
  const { host, port, user, password, database, ssl } = target.value.config;
  const part = encodeURIComponent;
  const query = new URLSearchParams({ sslmode: ssl === false ? "disable" : "verify-full" });
  const ca = parsed(text)?.searchParams.get("sslrootcert") ?? null;
  if (ca !== null && ssl !== false) query.set("sslrootcert", ca);
  if (host.startsWith("/")) query.set("host", host);
  const place = host.startsWith("/") ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `postgres://${part(user)}${password === "" ? "" : `:${part(password)}`}@${place}:${port}/${part(database)}?${query}`;
}

/** U1. */
function tlsOf(host: string, mode: string | null, ca: string | null): Result<ConnectionOptions | false, StoreError> {
  const isHere = host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
  if (isHere && (mode === null || !CHECKED.has(mode))) return ok(false);
  if (mode !== null && !CHECKED.has(mode))
    return err(
      databaseUrl(
        `sslmode=${mode} would send everything unprotected to ${host}. Remove it: the certificate is checked.`,
      ),
    );
  try {
    const own = ca === null ? {} : { ca: readFileSync(ca, "utf8") };
    return ok({ rejectUnauthorized: true, ...own, ...(isIP(host) === 0 ? { servername: host } : { host }) });
  } catch (reason) {
    return err(databaseUrl(`Its sslrootcert "${ca}" can't be read: ${(reason as NodeJS.ErrnoException).code}.`));
  }
}
