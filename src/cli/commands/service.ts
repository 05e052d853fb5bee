// service: writes the file that makes the system start `curlew serve` for a folder: a systemd user unit or a launchd
// agent. It starts nothing, and prints the commands that start the service and those that undo it.
//   S1. A file that someone else wrote is not replaced.
//   S2. Paths are quoted for the file's format, so a folder can have any name.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeHome } from "../../secrets/files.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, homeOf, refuse } from "../open.ts";
import type { Terminal } from "../terminal.ts";
import { shellWord } from "../text.ts";

const MARK = "Written by curlew service install";

interface Service {
  program: string;
  folder: string;
  home: string;
  path: string;
}

interface Kind {
  file: string;
  text(service: Service): string;
  start: string[];
  logs(home: string): string;
  undo: string[];
}

export function install(dir: string | undefined, options: HomeOption, terminal: Terminal): Exit {
  const kind = kindOn(process.platform, terminal.env);
  if (kind === undefined)
    return refuse(
      terminal,
      "no-service-manager",
      "Curlew writes services for systemd (Linux) and launchd (macOS) only.",
      "Start `curlew serve FOLDER` with the system's own means.",
    );
  const folder = resolve(terminal.cwd, dir ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return refuse(terminal, "cannot-serve", `There is no folder ${folder}.`, "Name an existing folder.");
  if (existsSync(kind.file) && !readFileSync(kind.file, "utf8").includes(MARK))
    return refuse(
      terminal,
      "file-exists",
      `${kind.file} was not written by Curlew.`,
      "Rename it, or change it by hand.",
    );
  const program = join(dirname(import.meta.filename), "../bin/curlew");
  const service = { program, folder, home: homeOf(options, terminal), path: terminal.env.PATH ?? "" };
  makeHome(service.home);
  mkdirSync(dirname(kind.file), { recursive: true });
  writeFileSync(kind.file, kind.text(service));
  terminal.out(`${kind.file}\n`);
  const indented = (lines: string[]) => lines.map((line) => `  ${line}\n`).join("");
  terminal.err(`This file makes the system serve ${folder}. Start the service:
${indented(kind.start)}Look at its output:
${indented([kind.logs(service.home)])}Open the web UI:
${indented([`curlew serve ${shellWord(folder)}`])}Undo it:
${indented(kind.undo)}`);
  return Exit.OK;
}

export function kindOn(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Kind | undefined {
  const user = env.HOME || homedir();
  if (platform === "linux") {
    const file = join(env.XDG_CONFIG_HOME || join(user, ".config"), "systemd/user/curlew.service");
    return {
      file,
      text: systemdUnit,
      start: [
        "systemctl --user daemon-reload",
        "systemctl --user enable --now curlew",
        'loginctl enable-linger "$USER"   # keeps it running when you log out',
      ],
      logs: () => "journalctl --user -u curlew",
      undo: ["systemctl --user disable --now curlew", `rm ${shellWord(file)}`, "systemctl --user daemon-reload"],
    };
  }
  if (platform !== "darwin") return undefined;
  const file = join(user, "Library/LaunchAgents/curlew.plist");
  return {
    file,
    text: launchdAgent,
    start: [`launchctl bootstrap gui/$(id -u) ${shellWord(file)}`],
    logs: (home) => `tail -f ${shellWord(logIn(home))}`,
    undo: ["launchctl bootout gui/$(id -u)/curlew", `rm ${shellWord(file)}`],
  };
}

/**
 * KillMode=process and AbandonProcessGroup: running commands continue for the next server. Both start the server again
 * only after a failure: if another server serves the data directory, this one prints a link and ends.
 */
function systemdUnit({ program, folder, home, path }: Service): string {
  return `# ${MARK}
[Unit]
Description=Curlew

[Service]
ExecStart=${inUnit(program).replaceAll("$", "$$$$")} serve ${inUnit(folder).replaceAll("$", "$$$$")}
Environment=${inUnit(`PATH=${path}`)} ${inUnit(`CURLEW_HOME=${home}`)}
Restart=on-failure
KillMode=process

[Install]
WantedBy=default.target
`;
}

/** S2. systemd replaces `%`, and in ExecStart also `$`. */
function inUnit(text: string): string {
  const quoted = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("\n", "\\n");
  return `"${quoted}"`;
}

function launchdAgent({ program, folder, home, path }: Service): string {
  const string = (text: string) =>
    `<string>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>curlew</string>
  <key>ProgramArguments</key>
  <array>${string(program)}<string>serve</string>${string(folder)}</array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key>${string(path)}<key>CURLEW_HOME</key>${string(home)}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>AbandonProcessGroup</key><true/>
  <key>StandardErrorPath</key>${string(logIn(home))}
</dict>
</plist>
`;
}

/** The output has sign-in links, so it is in the data directory, which only the user can read. */
function logIn(home: string): string {
  return join(home, "service.log");
}
