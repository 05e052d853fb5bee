// place: what the shell shows about the current screen: the window title, and whether edits are saved (status bar).

import { create } from "zustand";

export type Saved = "saved" | "saving" | "unsaved" | "conflict";

export interface ScreenTitle {
  title: string;
  /** Set by the editor; absent elsewhere. */
  saved: { state: Saved; at?: number; problem?: string } | undefined;
}

export const usePlace = create<ScreenTitle>(() => ({ title: "", saved: undefined }));
