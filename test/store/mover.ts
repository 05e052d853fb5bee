// mover: moves a data directory into a cluster, or back, for tests that kill it. Arguments: HOME URL [back].

import { moveFrom, moveTo } from "../../src/store/postgres/index.ts";
import { MOVE_KEYS } from "./move-keys.ts";

const [home = "", url = "", direction] = process.argv.slice(2);
const moving = { home, url, ...MOVE_KEYS };
const moved = await (direction === "back" ? moveFrom(moving) : moveTo(moving, () => false));
process.exitCode = moved.ok ? 0 : 1;
