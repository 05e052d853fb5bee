// move-keys: keys of the two audit logs, and marks of events, in tests of a move.

import { eventMarks, signer } from "../../src/engine/cluster/sign.ts";

const [homeKey, clusterKey, runsKey] = [1, 2, 3].map((n) => Buffer.alloc(32, n)) as [Buffer, Buffer, Buffer];
export const MOVE_KEYS = { homeKey, clusterKey, marks: eventMarks(signer(runsKey)) };
