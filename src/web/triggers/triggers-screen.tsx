// TriggersScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function TriggersScreen() {
  return <Screen title="Triggers" />;
}
