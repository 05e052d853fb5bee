// Hostile values in the shells that nodes name.

import { tryCorpus } from "./corpus.ts";

tryCorpus("bash", "sh", "zsh");
