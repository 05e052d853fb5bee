// auth-hosts: the hosts that a credential of `auth:` may be sent to (spec 8.4).
//   H1. `hosts` lists names, whatever the port. `*.` stands for at least one label.
//   H2. In the model `hosts` is one text, its names separated by commas (spellings.ts). An empty name stays, and is wrong.

const LABELS = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/i;

export function hostsOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(",").map((name) => name.trim().toLowerCase());
}

/** `api.example.com`, `*.example.org`, `127.0.0.1`, `[::1]`. */
export function isHostName(name: string): boolean {
  return LABELS.test(name);
}

/** `host`: lowercase, without the port. */
export function matchesHost(host: string, names: readonly string[]): boolean {
  return names.some((name) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name));
}

/** Hosts of the URLs that the entry itself names literally: those of its issuer and its token endpoint. */
export function ownHosts(fields: Readonly<Record<string, string>>): string[] {
  return ["issuer", "tokenUrl", "deviceUrl", "authorizationUrl"].flatMap((field) => {
    const url = URL.canParse(fields[field] ?? "") ? new URL(fields[field]!) : undefined;
    return url === undefined || fields[field]!.includes("${") ? [] : url.hostname;
  });
}
