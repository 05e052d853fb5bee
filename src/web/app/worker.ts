// worker: starts a web worker for long tasks. The page's policy allows only our own script files (spec 4.3 S6).

interface Policy {
  createScriptURL(url: string): string;
}
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | undefined;

/** `url` comes from `import url from "./x.worker.ts?worker&url"`. The caller terminates the worker. */
export function startWorker(url: string): Worker {
  const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  policy ??= policies?.createPolicy("curlew", { createScriptURL: ownFile }) ?? { createScriptURL: ownFile };
  return new Worker(policy.createScriptURL(url), { type: "module" });
}

function ownFile(url: string): string {
  const { origin } = new URL(url, location.href);
  if (origin !== location.origin) throw new TypeError(`${url} is not a file of this page.`);
  return url;
}
