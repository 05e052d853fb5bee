// browser: opens a URL in the default browser.
//   W1. The URL never passes through a shell. If no browser opens, that is only a warning, because the URL is printed
//       as well.

import { spawn } from "node:child_process";
import type { Failure } from "../base/failure.ts";

export function openInBrowser(url: string, warn: (failure: Failure) => void): void {
  const [program, ...args] = openerOf(process.platform);
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  const failed = (): void =>
    warn({
      code: "cannot-open",
      message: `Curlew could not open a browser: ${program} is missing or failed.`,
      hint: "Open the link yourself.",
    });
  child.once("error", failed);
  child.once("exit", (code) => code !== 0 && failed());
  child.unref();
}

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
