// validator: finds problems in the text of the editor, in a worker, one text at a time. The server's findings for the
// same text replace the worker's, because the server knows the environment and other files.

import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { startWorker } from "../app/worker.ts";
import workerUrl from "./validate.worker.ts?worker&url";

export interface ToCheck {
  text: string;
  file: string;
}

export interface Validator {
  check(text: string): void;
  /** Accepts the server's findings for a text. */
  told(text: string, diagnostics: readonly Diagnostic[]): void;
  end(): void;
}

export function startValidator(
  file: string,
  onFound: (text: string, diagnostics: readonly Diagnostic[]) => void,
): Validator {
  let worker: Worker | undefined;
  /** The text that the worker is checking. */
  let checking: string | undefined;
  let latest = "";
  let fromServer: { text: string; diagnostics: readonly Diagnostic[] } | undefined;

  const start = (): Worker => {
    const started = startWorker(workerUrl);
    started.onmessage = ({ data }: MessageEvent<Diagnostic[]>) => {
      const isLatest = checking === latest;
      checking = undefined;
      if (fromServer?.text === latest) return;
      if (isLatest) onFound(latest, data);
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
    check(text) {
      latest = text;
      if (fromServer?.text === text) onFound(text, fromServer.diagnostics);
      else check(text);
    },
    told(text, diagnostics) {
      fromServer = { text, diagnostics };
      if (text === latest) onFound(text, diagnostics);
    },
    end() {
      worker?.terminate();
    },
  };
}
