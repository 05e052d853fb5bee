// vectors: what a foreign page can try against an address (spec 4.4 "server closed to others"). Each function runs
// alone in that page, by `page.evaluate`, and returns what the page could read or saw succeed: nothing, if all is well.

/** One request of a route: `path` is complete, `json` is a body that the route would accept. */
export interface Target {
  method: string;
  path: string;
  json: string;
}

/** Forms are the oldest way to another site: no preflight, and the site's cookies come with them. */
export async function forms({ bases, targets }: { bases: string[]; targets: Target[] }): Promise<string[]> {
  const got: string[] = [];
  const post = (action: string, method: string, enctype: string, json: string): Promise<void> =>
    new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.name = `f${Math.random()}`;
      const form = Object.assign(document.createElement("form"), { action, method, enctype, target: frame.name });
      const field = document.createElement("input");
      // `{"text":"…","ignored":"="}`: a body of text/plain that parses as JSON.
      [field.name, field.value] =
        enctype === "text/plain" ? [`${json.slice(0, -1)}${json === "{}" ? "" : ","}"x":"`, '"}'] : ["code", json];
      form.append(field);
      document.body.append(frame, form);
      let loads = 0;
      const end = (): void => {
        try {
          const inside = frame.contentDocument;
          if (inside !== null && inside.location.href !== "about:blank")
            got.push(`form ${method} ${action}: ${inside.documentElement.textContent}`);
        } catch {}
        frame.remove();
        form.remove();
        done();
      };
      frame.addEventListener("load", () => loads++ === 0 && end());
      setTimeout(end, 5_000);
      form.submit();
    });
  // Every route under the first name, some under the others: the gate is before the routes, and hundreds of frames are slow.
  for (const [at, base] of bases.entries())
    await Promise.all(
      targets
        .filter((_, n) => at === 0 || n % 4 === at)
        .flatMap(({ path, json }) => [
          post(base + path, "get", "application/x-www-form-urlencoded", json),
          post(base + path, "post", "application/x-www-form-urlencoded", json),
          post(base + path, "post", "multipart/form-data", json),
          post(base + path, "post", "text/plain", json),
        ]),
    );
  return got;
}

/** fetch in every mode that a page may ask for, and sendBeacon. */
export async function fetches({ bases, targets }: { bases: string[]; targets: Target[] }): Promise<string[]> {
  const got: string[] = [];
  const attempt = async (url: string, init: RequestInit & { targetAddressSpace?: string }): Promise<void> => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3_000), ...init });
      const text = answer.type === "opaque" ? "" : await answer.text();
      if (answer.type !== "opaque") got.push(`fetch ${init.method} ${url}: ${answer.status} ${text.slice(0, 80)}`);
    } catch {}
  };
  for (const base of bases)
    for (const { method, path, json } of targets) {
      const url = base + path;
      const isRead = method === "GET";
      const body = isRead ? {} : { body: json };
      const simple = isRead ? "GET" : "POST";
      await Promise.all([
        attempt(url, { method: simple, mode: "no-cors", credentials: "include", ...body }),
        attempt(url, { method: simple, mode: "no-cors", credentials: "omit", ...body }),
        attempt(url, { method: simple, mode: "cors", credentials: "include", ...body }),
        attempt(url, { method: simple, mode: "cors", credentials: "omit", referrerPolicy: "unsafe-url", ...body }),
        attempt(url, { method: "HEAD", mode: "no-cors" }),
        // These ask first (preflight).
        attempt(url, {
          ...{ method, mode: "cors", credentials: "include", ...body },
          headers: { "content-type": "application/json", authorization: `Bearer ${"A".repeat(43)}`, "if-match": "*" },
        }),
        attempt(url, { ...{ method, mode: "cors", ...body }, headers: { "x-forwarded-host": "127.0.0.1" } }),
        attempt(url, { method: simple, mode: "no-cors", keepalive: true, redirect: "manual", ...body }),
      ]);
      if (!isRead) {
        navigator.sendBeacon(url, json);
        navigator.sendBeacon(url, new Blob([json], { type: "application/x-www-form-urlencoded" }));
        try {
          navigator.sendBeacon(url, new Blob([json], { type: "application/json" }));
        } catch {}
      }
    }
  for (const entry of performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    if (entry.transferSize > 0 || entry.decodedBodySize > 0 || entry.responseStatus > 0)
      got.push(`timing of ${entry.name}: ${entry.transferSize} ${entry.decodedBodySize} ${entry.responseStatus}`);
  return got;
}

/** Elements that load: each that says `load` got bytes. */
export async function elements({ urls }: { urls: string[] }): Promise<string[]> {
  const got: string[] = [];
  const attempt = (tag: string, url: string, set: Record<string, string>): Promise<void> =>
    new Promise((done) => {
      const element = document.createElement(tag);
      const end = (what: string): void => {
        if (what !== "") got.push(`${tag} ${JSON.stringify(set)} ${url}: ${what}`);
        element.remove();
        done();
      };
      for (const good of ["load", "loadedmetadata", "canplay"]) element.addEventListener(good, () => end(good));
      element.addEventListener("error", () => end(""));
      setTimeout(() => end(""), 5_000);
      for (const [name, value] of Object.entries(set)) element.setAttribute(name, value === "URL" ? url : value);
      document.body.append(element);
      if (element instanceof HTMLMediaElement) element.load();
    });
  const links: Record<string, string>[] = [
    { rel: "stylesheet", href: "URL" },
    { rel: "modulepreload", href: "URL" },
    { rel: "manifest", href: "URL" },
    { rel: "icon", href: "URL" },
    ...["script", "style", "image", "font", "fetch", "track"].map((as) => ({ rel: "preload", as, href: "URL" })),
    { rel: "preload", as: "fetch", crossorigin: "use-credentials", href: "URL" },
  ];
  await Promise.all(
    urls.flatMap((url) => [
      attempt("img", url, { src: "URL" }),
      attempt("img", url, { src: "URL", crossorigin: "anonymous" }),
      attempt("script", url, { src: "URL" }),
      attempt("script", url, { src: "URL", type: "module" }),
      attempt("script", url, { src: "URL", crossorigin: "use-credentials" }),
      attempt("video", url, { src: "URL" }),
      attempt("audio", url, { src: "URL" }),
      attempt("object", url, { data: "URL" }),
      ...links.map((set) => attempt("link", url, set)),
    ]),
  );
  return got;
}

/** Sockets, streams, workers, and what a browser loads ahead. */
export async function channels({ bases, paths }: { bases: string[]; paths: string[] }): Promise<string[]> {
  const got: string[] = [];
  const ended = (set: (end: (what: string) => void) => void): Promise<void> =>
    new Promise((done) => {
      const end = (what: string): void => {
        if (what !== "") got.push(what);
        done();
      };
      setTimeout(() => end(""), 5_000);
      set(end);
    });
  const inWorker = (script: string, what: string): Promise<void> =>
    ended((end) => {
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => end(data === "" ? "" : `${what}: ${data}`);
      worker.onerror = () => end("");
    });
  const attempts = bases
    .flatMap((base) => paths.map((path) => base + path))
    .map(async (url) => {
      for (const rel of ["prefetch", "prerender", "preconnect", "dns-prefetch"])
        document.head.append(Object.assign(document.createElement("link"), { rel, href: url }));
      const rules = document.createElement("script");
      rules.type = "speculationrules";
      rules.textContent = JSON.stringify({ prefetch: [{ urls: [url], eagerness: "immediate" }] });
      document.head.append(rules);
      await Promise.all([
        ended((end) => {
          const socket = new WebSocket(url.replace(/^http/, "ws").replace(/#.*/, ""));
          socket.onopen = () => end(`WebSocket ${url} is open`);
          socket.onerror = () => end("");
        }),
        ...[true, false].map((withCredentials) =>
          ended((end) => {
            const source = new EventSource(url, { withCredentials });
            source.onopen = () => end(`EventSource ${url} is open`);
            source.onmessage = ({ data }) => end(`EventSource ${url}: ${data}`);
            source.onerror = () => {
              source.close();
              end("");
            };
          }),
        ),
        inWorker(
          `try { importScripts(${JSON.stringify(url)}); postMessage("ran") } catch { postMessage("") }`,
          `importScripts ${url}`,
        ),
        inWorker(
          `fetch(${JSON.stringify(url)}).then(async (r) => postMessage(r.status + " " + (await r.text()))).catch(() => postMessage(""))`,
          `fetch in a worker ${url}`,
        ),
      ]);
    });
  await Promise.all(attempts);
  return got;
}
