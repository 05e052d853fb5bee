// program-auth: the commands about signing in for `auth:` entries (spec 2.2, 3.6). See program.ts.

import { type Add, collect, ENV_FILE, type Ends, examples, HOME } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export function addAuthCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/auth.ts");
  const auth = add(program, "auth", "Sign in where a workflow needs a person for its token.", [
    "curlew auth login shop orders.flow.yaml",
    "curlew auth list",
    "curlew auth logout shop",
  ]);
  add(auth, "login", "Sign in for an auth entry: shows an address, and waits until somebody was there.", [
    "curlew auth login shop orders.flow.yaml",
    "curlew auth login github                  # an entry of config.yaml",
  ])
    .argument("<name>", "the name of an auth entry, or of a node that carries its own")
    .argument("[file]", "the workflow that has it; else config.yaml is looked at")
    .option("--input <name=value>", "an input that the entry names; repeat for more", collect)
    .option(...ENV_FILE)
    .option(...HOME)
    .action((name, file, options) => ends(load().then((it) => it.loginAs(name, file, options, terminal))));
  const list = auth
    .command("list", { isDefault: true })
    .description("List the tokens of this home, never their values (also: plain `curlew auth`)")
    .option("--json", "print a JSON array")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.list(options, terminal)))) as CurlewCommand;
  list.usage("[options]").addHelpText("after", () => examples(terminal, ["curlew auth", "curlew auth list --json"]));
  add(auth, "logout", "Remove a token from this machine.", ["curlew auth logout shop"])
    .argument("<name>", "the name of an auth entry: `curlew auth list` names them")
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.logout(name, options, terminal))));
}
