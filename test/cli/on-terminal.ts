// on-terminal: the whole program on a real (pseudo) terminal, made by util-linux' `script`.

import { type Folder, MAIN, type Started, started } from "./curlew.ts";

/** `curlew ARGS` on a terminal of 70 × 12, or as wide as told; stdout and stderr are the same screen. `keys` stays open for typing. */
export function onTerminal(it: Folder, args: string, env: Record<string, string> = {}, columns = 70): Started {
  const command = `stty cols ${columns} rows 12; exec '${process.execPath}' -- '${MAIN}' ${args}`;
  return started(
    "script",
    ["-qefc", command, "/dev/null"],
    it.path,
    { env: { TERM: "xterm-256color", ...env }, keepStdin: true },
    it.home,
  );
}
