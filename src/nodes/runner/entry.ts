// entry: the runner as it stands in the bundle. Begins it with what V8 made of it the last times.

import { dirname } from "node:path";
import { loadCompiled } from "../../process/compiled.ts";

const KEPT = { file: "keeping.cjs", digest: "digest of keeping.cjs", kind: "runner" };

loadCompiled(dirname(import.meta.filename), KEPT);
void import("./main.ts");
