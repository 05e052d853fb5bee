// home: the data directory (spec 2.7): --home, or CURLEW_HOME, or the platform's data folder.

import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Everything the choice depends on. */
export interface HomeSource {
  flag?: string | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  platform: NodeJS.Platform;
  userHome: string;
}

/** An absolute path. The folder need not exist. */
export function homeFolder({ flag, env, cwd, platform, userHome }: HomeSource): string {
  if (flag !== undefined) return resolve(cwd, flag);
  if (env.CURLEW_HOME) return resolve(cwd, env.CURLEW_HOME);
  if (platform === "win32") return join(env.LOCALAPPDATA || join(userHome, "AppData", "Local"), "curlew");
  if (platform === "darwin") return join(userHome, "Library", "Application Support", "curlew");
  // The XDG standard says to ignore relative paths.
  const data =
    env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(userHome, ".local", "share");
  return join(data, "curlew");
}

/** With an empty or relative HOME, the history would be in the current folder. */
export function userHome(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
