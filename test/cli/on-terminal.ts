// on-terminal: the whole program on a real (pseudo) terminal, made by util-linux' `script`.

import { type Folder, MAIN, type Started, started } from "./curlew.ts";

/** `curlew ARGS` on a terminal. stdout and stderr share the screen. `keys` stays open for typing. */
export function onTerminal(
  it: Folder,
  args: string,
  env: Record<string, string> = {},
  columns = 70,
  rows = 12,
): Started {
  const command = `stty cols ${columns} rows ${rows}; exec '${process.execPath}' -- '${MAIN}' ${args}`;
  return started(
    "script",
    ["-qefc", command, "/dev/null"],
    it.path,
    { env: { TERM: "xterm-256color", ...env }, keepStdin: true },
    it.home,
  );
}
