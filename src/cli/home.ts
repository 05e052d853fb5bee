// home: where Curlew keeps its history and configuration (spec 2.7): --home, else CURLEW_HOME, else the platform's data folder.

import { isAbsolute, join, resolve } from "node:path";

/** What the decision is made from; nothing is read but this. */
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
  // The XDG standard: a relative path there is to be ignored.
  const data =
    env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(userHome, ".local", "share");
  return join(data, "curlew");
}
