// overlays: which of the shell's dialogs is open. Any component may open one.

import { create } from "zustand";

export type Overlay = "palette" | "help" | "paste-curl";

export const useOverlay = create<{ open: Overlay | undefined }>(() => ({ open: undefined }));

export function openOverlay(open: Overlay): void {
  useOverlay.setState({ open });
}

export function closeOverlay(): void {
  useOverlay.setState({ open: undefined });
}
