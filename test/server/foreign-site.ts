// foreign-site: another site's page on this machine, and a real browser to open it in; both gone after the test.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { onTestFinished } from "vitest";

export async function foreignSite(): Promise<{ context: BrowserContext; address: string }> {
  const site = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>evil</title><body>"),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
  onTestFinished(async () => {
    await browser.close();
    site.closeAllConnections();
    site.close();
  });
  return { context: await browser.newContext(), address: `http://127.0.0.1:${(site.address() as AddressInfo).port}/` };
}

/** The first program on PATH that has("chromium") knows. */
function chromiumPath(): string {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const places = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? "";
}
