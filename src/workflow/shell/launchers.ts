// shell/launchers: programs that start what a word of theirs names, or fetch and start it (spec 4.1, "Refused").
//   L1. That word is never a place for a value. What follows it is data, unless it is a shell or an interpreter that is told a program.
// Deliberately absent: what only installs (`npm install`); with a value that nobody vouches for it asks (safety/untrusted.ts).

import { base, interpreterOf, SHELLS } from "./interpreters.ts";
import { type Argument, behind, type Rule, split, values } from "./options.ts";

/** Words of a program that choose what it starts. */
export function launched(name: string, args: readonly Argument[]): Argument[] {
  return Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name]!(args) : [];
}

/** The command that stands as this positional, or behind `--`. */
const command =
  (at = 0): Rule =>
  (args) => {
    const dashes = args.findIndex(({ content }) => content.literal === "--");
    const items = split(dashes < 0 ? args : args.slice(dashes + 1), { short: "p", long: VALUED });
    const found = items.find(({ position }) => position === (dashes < 0 ? at : 0));
    return found === undefined ? [] : [found.argument];
  };
const VALUED = ["--with", "--package", "--python", "--from", "--directory", "--project", "--env-file", "--only"];

const both =
  (...rules: Rule[]): Rule =>
  (args) =>
    rules.flatMap((rule) => rule(args));

const starts = (verb: RegExp, at?: number): Rule => behind(verb, command(at));
const RUN = starts(/^(?:run|exec)$/);
const EXEC_IN = starts(/^(?:exec|shell)$/, 1);

/** `--entrypoint sh IMAGE -c TEXT`: what stands behind the image is the shell's. */
const CONTAINER_RUN: Rule = behind(/^(?:run|create)$/, (args) => {
  const items = split(args, { short: "acehlmpuvw", long: CONTAINER_VALUED, posix: true });
  const entry = items.filter((item) => item.option === "--entrypoint" && item.kind !== "flag");
  const named = entry.map(({ argument }) => base((argument.content.literal ?? "").replace(/^--entrypoint=/, "")));
  const runsText = named.some((name) => SHELLS.has(name) || interpreterOf(name) !== undefined);
  const image = items.findIndex(({ position }) => position === 0);
  const chosen = items.filter(({ option, kind }) => kind !== "flag" && CHOOSING.has(option ?? ""));
  const inside = runsText && image >= 0 ? textBehind(items.slice(image + 1).map(({ argument }) => argument)) : [];
  return [...chosen.map(({ argument }) => argument), ...inside];
});
const CHOOSING: ReadonlySet<string> = new Set(["--entrypoint", "--health-cmd"]);
const CONTAINER_VALUED = (
  "entrypoint health-cmd name env env-file volume publish user workdir network net label label-file mount memory cpus platform " +
  "add-host hostname pull restart device cap-add cap-drop security-opt ulimit tmpfs shm-size gpus log-driver log-opt dns expose " +
  "link pid ipc runtime stop-signal stop-timeout volumes-from volume-driver group-add cidfile annotation attach cgroup-parent " +
  "cgroupns cpu-shares cpuset-cpus sysctl userns uts ip mac-address"
)
  .split(" ")
  .map((name) => `--${name}`);

/** The text of `-c` and `-e`, else the file that stands first. */
function textBehind(args: readonly Argument[]): Argument[] {
  const at = args.findIndex(({ content }) => /^-[a-zA-Z]*[ceE]$/.test(content.literal ?? ""));
  return args.slice(at + 1, at + 2);
}

const KUBERNETES: Rule = (args) =>
  args.some(({ content }) => content.literal === "--command") ? starts(/^run$/)(args) : starts(/^debug$/, 99)(args);

const NPM = starts(/^(?:exec|x|create|init|innit|dlx)$/);
const YT = values("--exec", "--exec-before-download", "--downloader", "--external-downloader", "--netrc-cmd");
const EDITOR: Rule = (args) => args.filter(({ head, content }) => head.startsWith("+") && content.hasMark);

const LAUNCHERS: Readonly<Record<string, Rule>> = {
  ...{ docker: CONTAINER_RUN, podman: CONTAINER_RUN, nerdctl: CONTAINER_RUN, "docker-compose": CONTAINER_RUN },
  ...{ kubectl: KUBERNETES, oc: KUBERNETES },
  ...{ npm: NPM, pnpm: NPM, yarn: NPM, bun: starts(/^(?:x|run|create)$/), deno: starts(/^(?:run|serve)$/) },
  ...{ uv: RUN, pipx: RUN, poetry: RUN, pdm: RUN, pipenv: RUN, hatch: RUN, rye: RUN, conda: RUN, mamba: RUN },
  ...{
    bundle: RUN,
    gem: RUN,
    rbenv: RUN,
    go: starts(/^run$/),
    dotnet: RUN,
    nix: starts(/^(?:run|shell|develop|build)$/),
  },
  java: both(values("-jar", "-cp", "-classpath", "--class-path", "-javaagent", "-m", "--module"), (args) =>
    split(args, { long: [] }).flatMap(({ position, argument }) => (position === 0 ? [argument] : [])),
  ),
  ...{ mise: starts(/^(?:x|exec)$/), asdf: RUN, op: RUN, chamber: EXEC_IN, infisical: RUN, dotenvx: RUN, flatpak: RUN },
  ...{
    snap: RUN,
    toolbox: RUN,
    heroku: RUN,
    perf: starts(/^(?:record|stat|trace)$/),
    vagrant: values("-c", "--command"),
  },
  ...{ direnv: EXEC_IN, lxc: EXEC_IN, incus: EXEC_IN, multipass: EXEC_IN, machinectl: EXEC_IN, ip: EXEC_IN },
  ...{ "aws-vault": EXEC_IN, doppler: both(RUN, values("--command")), distrobox: starts(/^enter$/, 1) },
  ...{ chronic: command(), unbuffer: command(), watchexec: command(), wine: command(), sg: command(1) },
  ...{ nodemon: both(command(), values("-x", "--exec")), just: values("-f", "--justfile"), cmake: values("-P") },
  ...{ "yt-dlp": YT, "youtube-dl": YT, pandoc: values("-F", "-L", "--filter", "--lua-filter", "--pdf-engine") },
  ...{ restic: values("--password-command"), rclone: values("--password-command"), tcpdump: values("-z") },
  aria2c: (args) => args.filter(({ head }) => head.startsWith("--on-")),
  ...{
    nmap: values("--script"),
    gs: values("-c"),
    lldb: values("-o", "-O", "-s", "-S"),
    "ansible-playbook": command(),
  },
  ...{ vim: EDITOR, vi: EDITOR, nvim: EDITOR, view: EDITOR, ex: EDITOR },
};
