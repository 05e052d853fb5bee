// machine: what the tests need beyond Node.js, whether this machine has it, and how to get it.
//   M1. A test that needs a program asks `has(…)`; without it the test is not declared, and `npm test` names it at the end.
//   M2. With CI=true a program of this table that is missing fails `npm test`, unless it is not made for this platform.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { postgresPrograms } from "./postgres.ts";

const root = dirname(dirname(import.meta.dirname));

export interface Tool {
  /** The name that tests ask for. */
  name: string;
  /** Any of these programs is enough. */
  programs: string[];
  /** Or this file of the checkout. */
  file?: string;
  /** The tests that are left out without it. */
  covers: string;
  install: string;
  /** Spec 1.2: tested where it is present. CI does not ask for it. */
  whereItIs?: boolean;
}

export const TOOLS: readonly Tool[] = [
  { name: "bash", programs: ["bash"], covers: "commands in bash", install: "apt-get install bash" },
  { name: "zsh", programs: ["zsh"], covers: "commands in zsh", install: "apt-get install zsh" },
  { name: "dash", programs: ["dash"], covers: "commands in dash", install: "apt-get install dash" },
  { name: "curl", programs: ["curl"], covers: "the examples that call an API", install: "apt-get install curl" },
  { name: "jq", programs: ["jq"], covers: "the examples that read JSON with jq", install: "apt-get install jq" },
  { name: "python3", programs: ["python3"], covers: "scripts with #! python3", install: "apt-get install python3" },
  {
    name: "git",
    programs: ["git"],
    covers: "the set-up in a fresh clone, and committed workflow files",
    install: "apt-get install git",
  },
  {
    name: "openssl",
    programs: ["openssl"],
    covers: "a server that wants client certificates",
    install: "apt-get install openssl",
  },
  {
    name: "strace",
    programs: ["strace"],
    covers: "faults of the kernel at the n-th call",
    install: "apt-get install strace",
  },
  { name: "bwrap", programs: ["bwrap"], covers: "commands in a sandbox", install: "apt-get install bubblewrap" },
  {
    name: "gnome-keyring-daemon",
    programs: ["gnome-keyring-daemon"],
    covers: "the key of the local secrets in a desktop keyring",
    install: "apt-get install gnome-keyring",
  },
  {
    name: "dbus-run-session",
    programs: ["dbus-run-session"],
    covers: "a session for the desktop keyring",
    install: "apt-get install dbus",
  },
  {
    name: "postgres",
    programs: ["postgres"],
    covers: "the store in PostgreSQL",
    install: "apt-get install postgresql",
  },
  {
    name: "chromium",
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    covers: "the web in a browser",
    install: "apt-get install chromium",
  },
  {
    name: "tiny-llm",
    programs: [],
    file: "tools/tiny-llm/node_modules/.curlew-setup",
    covers: "a real language model behind the LLM node",
    install: "sh tools/tiny-llm/bring.sh (Linux x86_64)",
  },
  {
    name: "unshare",
    programs: ["unshare"],
    covers: "a disk that is full",
    install: "apt-get install util-linux",
    whereItIs: true,
  },
  {
    name: "wget",
    programs: ["wget"],
    covers: "why a wget failed",
    install: "apt-get install wget",
    whereItIs: true,
  },
  {
    name: "http",
    programs: ["http"],
    covers: "why an HTTPie failed",
    install: "apt-get install httpie",
    whereItIs: true,
  },
  {
    name: "ssh",
    programs: ["ssh"],
    covers: "why an ssh failed",
    install: "apt-get install openssh-client",
    whereItIs: true,
  },
  {
    name: "busybox",
    programs: ["busybox"],
    covers: "hostile values in the shell of busybox",
    install: "apt-get install busybox",
    whereItIs: true,
  },
  {
    name: "pwsh",
    programs: ["pwsh"],
    covers: "commands in PowerShell",
    install: "PowerShell 7, by its own instructions",
    whereItIs: true,
  },
  { name: "cmd", programs: ["cmd.exe"], covers: "commands in cmd", install: "a Windows machine", whereItIs: true },
];

export function has(name: string): boolean {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`test/setup/machine.ts has no tool called "${name}": add it there.`);
  if (name === "postgres") return postgresPrograms() !== undefined;
  return tool.programs.some(onPath) || (tool.file !== undefined && existsSync(join(root, tool.file)));
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
