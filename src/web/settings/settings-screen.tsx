// SettingsScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function SettingsScreen() {
  return <Screen title="Settings" />;
}
