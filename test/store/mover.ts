// mover: moves a data directory into a cluster, for tests that kill it. Arguments: HOME URL.

import { moveTo } from "../../src/store/postgres/index.ts";
import { MOVE_KEYS } from "./move-keys.ts";

const [home = "", url = ""] = process.argv.slice(2);
const moved = await moveTo({ home, url, ...MOVE_KEYS }, () => false);
process.exitCode = moved.ok ? 0 : 1;
