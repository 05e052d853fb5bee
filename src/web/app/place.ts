// place: what the shell shows about the place that is open: the window's name, and whether its edits are saved (status bar).

import { create } from "zustand";

export type Saved = "saved" | "saving" | "unsaved" | "conflict";

export interface Place {
  title: string;
  /** Set by the editor; absent elsewhere. */
  saved: { state: Saved; at?: number; problem?: string } | undefined;
}

export const usePlace = create<Place>(() => ({ title: "", saved: undefined }));
