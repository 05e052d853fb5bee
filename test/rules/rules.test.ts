// Rules of the documentation, except those of rules-others.test.ts.

import { tryRules } from "./rules.ts";

tryRules(["cli", "document", "facts", "failing", "references", "state", "templates"]);
