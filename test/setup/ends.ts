// ends: a process that a test starts ends with the test at the latest, even if the process was stopped or the test failed.

import type { ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";

export function endsWithTest<C extends ChildProcess>(child: C): C {
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  return child;
}
