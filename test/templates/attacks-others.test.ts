// Scripts that attack the rewriting, in the other shells that nodes name.

import { tryAttacks } from "./attacks.ts";

tryAttacks("sh", "zsh");
