// Hostile values in other shells that may be `sh`.

import { tryCorpus } from "./corpus.ts";

tryCorpus("busybox", "posix");
