// Sends the requests of the four OAuth grants with oauth4webapi (spec 3.6, ADR 50).
//   A1. Only https is allowed, and http on this machine. The library rejects everything else too.
//   A2. The client authenticates as the entry says. By default its credentials are in the body,
//       unless the issuer supports only Basic.

import type * as oauth from "oauth4webapi";
import { type Failure, failureOf } from "../../base/failure.ts";
import { type Asking, fetchFor, Trouble } from "./endpoint.ts";
import { type Grant, isLoopback } from "./grant.ts";

type Library = typeof oauth;

/** The response of a token endpoint. */
export interface IssuedToken {
  access: string;
  expiresInSeconds?: number;
  refresh?: string;
  scope?: string;
}

export interface Server {
  library: Library;
  as: oauth.AuthorizationServer;
  client: oauth.Client;
  clientAuth: oauth.ClientAuth;
  options: { [oauth.allowInsecureRequests]: boolean; [oauth.customFetch]: unknown; signal?: AbortSignal };
  asking: Asking;
}

/** The entry's server. If the entry names an issuer, its metadata is requested. Throws `Trouble`. */
export async function serverOf(asking: Asking): Promise<Server> {
  const library = await import("oauth4webapi");
  const { grant, signal } = asking;
  const options = {
    [library.customFetch]: fetchFor(asking),
    [library.allowInsecureRequests]: isLoopback(new URL(grant.tokenUrl ?? grant.issuer ?? "https://x.invalid")),
    signal,
  } as unknown as Server["options"];
  const described = grant.issuer === undefined ? undefined : await discovered(library, grant, options);
  const as: oauth.AuthorizationServer = {
    ...described,
    issuer: described?.issuer ?? new URL(grant.tokenUrl!).origin,
    ...(grant.tokenUrl === undefined ? {} : { token_endpoint: grant.tokenUrl }),
    ...(grant.deviceUrl === undefined ? {} : { device_authorization_endpoint: grant.deviceUrl }),
    ...(grant.authorizationUrl === undefined ? {} : { authorization_endpoint: grant.authorizationUrl }),
  };
  if (as.token_endpoint === undefined) throw new Trouble(notDescribed(grant, "token_endpoint"));
  return {
    library,
    as,
    client: { client_id: grant.clientId },
    clientAuth: clientAuthOf(library, grant, as),
    options,
    asking,
  };
}

/** Tries RFC 8414 first, then OpenID Connect. */
async function discovered(library: Library, grant: Grant, options: object): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(grant.issuer!);
  let first: unknown;
  for (const algorithm of ["oauth2", "oidc"] as const)
    try {
      const answer = await library.discoveryRequest(issuer, { algorithm, ...options });
      return await library.processDiscoveryResponse(issuer, answer);
    } catch (reason) {
      first ??= reason;
    }
  if (
    first instanceof Trouble &&
    ["auth-unreachable", "auth-certificate", "auth-cancelled"].includes(first.failure.code)
  )
    throw first;
  throw new Trouble(notDescribed(grant, undefined));
}

/** A2. */
function clientAuthOf(library: Library, grant: Grant, as: oauth.AuthorizationServer): oauth.ClientAuth {
  const { clientSecret } = grant;
  if (clientSecret === undefined) return library.None();
  const spoken = as.token_endpoint_auth_methods_supported;
  const onlyBasic = spoken?.includes("client_secret_basic") === true && !spoken.includes("client_secret_post");
  switch (grant.clientAuth ?? (onlyBasic ? "basic" : "post")) {
    case "none":
      return library.None();
    case "basic":
      return basicAuth(clientSecret);
    case "post":
      return library.ClientSecretPost(clientSecret);
  }
}

/**
 * RFC 6749 2.3.1. The library's own also escapes `-`, `_`, and `.`, which servers that compare the header undecoded
 * reject.
 */
function basicAuth(secret: string): oauth.ClientAuth {
  const encoded = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  return (_as, { client_id }, _body, headers) =>
    headers.set("authorization", `Basic ${btoa(`${encoded(client_id)}:${encoded(secret)}`)}`);
}

/** Those of scope, audience, and resource that the entry sets. */
export function parametersOf({ scope, audience, resource }: Grant): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ scope, audience, resource }).filter((each): each is [string, string] => each[1] !== undefined),
  );
}

/** Throws `Trouble`. */
export async function askClientCredentials(server: Server): Promise<IssuedToken> {
  const { library, as, client, clientAuth, options, asking } = server;
  return answered(asking, async () => {
    const answer = await library.clientCredentialsGrantRequest(
      as,
      client,
      clientAuth,
      parametersOf(asking.grant),
      options as object,
    );
    return library.processClientCredentialsResponse(as, client, answer);
  });
}

/** Throws `Trouble`. */
export async function askRefresh(server: Server, refresh: string): Promise<IssuedToken> {
  const { library, as, client, clientAuth, options, asking } = server;
  return answered(asking, async () => {
    const more = { ...options, additionalParameters: parametersOf(asking.grant) };
    const answer = await library.refreshTokenGrantRequest(as, client, clientAuth, refresh, more as object);
    return library.processRefreshTokenResponse(as, client, answer);
  });
}

/** Converts the library's errors to failures. */
export async function answered(asking: Asking, work: () => Promise<oauth.TokenEndpointResponse>): Promise<IssuedToken> {
  try {
    const { access_token, expires_in, refresh_token, scope } = await work();
    if (access_token === "" || /[\r\n\0\s]/.test(access_token))
      throw new Trouble(unusable(asking.grant, "a token that cannot be sent"));
    return {
      access: access_token,
      expiresInSeconds: expires_in,
      refresh: refresh_token === undefined || refresh_token === "" ? undefined : refresh_token,
      scope,
    };
  } catch (reason) {
    if (reason instanceof Trouble) throw reason;
    // The library's messages name members of the response, but never contain their values.
    throw new Trouble(
      unusable(
        asking.grant,
        reason instanceof Error ? `an invalid response (${reason.message})` : "an unusable answer",
      ),
    );
  }
}

const unusable = failureOf("auth-answer", ({ name }: Grant, what: string) => [
  `Curlew got no token for the auth "${name}": the server sent ${what}.`,
  "The response must contain access_token, and token_type Bearer. Check the URL of the auth entry.",
]);

export function notDescribed(grant: Grant, member: string | undefined): Failure {
  const issuer = new URL(grant.issuer ?? grant.tokenUrl!).host;
  return {
    code: "auth-discovery",
    message: `The auth "${grant.name}" got no token: ${issuer} does not describe itself${member === undefined ? ", or not as the issuer that is named" : ` with a ${member}`}.`,
    hint: "Check issuer, or write the URLs: tokenUrl, and deviceUrl or authorizationUrl.",
  };
}
