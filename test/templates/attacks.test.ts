// Scripts that attack the rewriting, in bash.

import { tryAttacks } from "./attacks.ts";

tryAttacks("bash");
