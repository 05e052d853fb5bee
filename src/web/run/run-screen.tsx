// RunScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function RunScreen() {
  return <Screen title="Run" />;
}
