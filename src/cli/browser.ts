// browser: opens an address in whatever the person browses with.
//   W1. No shell sees the address. Where nothing opens it, that is a warning: the address stands on the screen too.

import { spawn } from "node:child_process";
import type { Failure } from "../base/failure.ts";

export function openInBrowser(url: string, warn: (failure: Failure) => void): void {
  const [program, ...args] = openerOf(process.platform);
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  const failed = (): void =>
    warn({
      code: "cannot-open",
      message: `No browser was opened: ${program} is missing or failed.`,
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
