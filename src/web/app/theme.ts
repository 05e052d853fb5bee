// theme: system, light or dark. The choice is stored in this browser. public/theme.js applies it before the first
// paint, and tokens.css defines the colours.

import { create } from "zustand";

export type Theme = "system" | "light" | "dark";
const KEY = "curlew.theme";
const ALL: readonly Theme[] = ["system", "light", "dark"];

export const useTheme = create<{ theme: Theme }>(() => ({ theme: stored() }));

export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(KEY, theme);
  useTheme.setState({ theme });
}

export function nextTheme(): void {
  setTheme(ALL[(ALL.indexOf(useTheme.getState().theme) + 1) % ALL.length]!);
}

function stored(): Theme {
  const kept = localStorage.getItem(KEY);
  return ALL.find((theme) => theme === kept) ?? "system";
}
