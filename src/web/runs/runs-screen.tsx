// RunsScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function RunsScreen() {
  return <Screen title="Runs" />;
}
