// stars: the workflows that the user marked, by path. This browser remembers them.

import { create } from "zustand";

const KEY = "curlew.stars";

const useStars = create<{ paths: readonly string[] }>(() => ({ paths: kept() }));

function kept(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

export function useStarred(): readonly string[] {
  return useStars(({ paths }) => paths);
}

export function setStar(path: string, on: boolean): void {
  const others = useStars.getState().paths.filter((one) => one !== path);
  const paths = on ? [...others, path] : others;
  localStorage.setItem(KEY, JSON.stringify(paths));
  useStars.setState({ paths });
}

/** A renamed workflow keeps its star. */
export function moveStar(from: string, to: string): void {
  if (!useStars.getState().paths.includes(from)) return;
  setStar(from, false);
  setStar(to, true);
}
