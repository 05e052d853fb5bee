// validator: finds problems in the text of the editor, in a worker, one text at a time. The server's findings for the
// same text replace the worker's, because the server knows the environment and other files.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { startWorker } from "../app/worker.ts";
import workerUrl from "./validate.worker.ts?worker&url";

export interface ToCheck {
  text: string;
  file: string;
}

/** Diagnostics of a whole text, which can be older than the document. */
export interface Found {
  text: string;
  list: readonly Diagnostic[];
}

export function startValidator(file: string, onFound: (found: Found) => void) {
  let worker: Worker | undefined;
  /** The text that the worker is checking. */
  let checking: string | undefined;
  let latest = "";
  let fromServer: Found | undefined;

  const start = (): Worker => {
    const started = startWorker(workerUrl);
    started.onmessage = ({ data }: MessageEvent<Diagnostic[]>) => {
      const isLatest = checking === latest;
      checking = undefined;
      if (fromServer?.text === latest) return;
      if (isLatest) onFound({ text: latest, list: data });
      else check(latest);
    };
    return started;
  };
  const check = (text: string): void => {
    if (checking !== undefined) return;
    checking = text;
    worker ??= start();
    worker.postMessage({ text, file } satisfies ToCheck);
  };
  return {
    check(text: string): void {
      latest = text;
      if (fromServer?.text === text) onFound(fromServer);
      else check(text);
    },
    /** Accepts the server's findings. */
    told(found: Found): void {
      fromServer = found;
      if (found.text === latest) onFound(found);
    },
    end: () => worker?.terminate(),
  };
}
