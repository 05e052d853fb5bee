// HomeScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function HomeScreen() {
  return <Screen title="Workflows" />;
}
