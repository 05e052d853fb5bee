// EditorScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function EditorScreen() {
  return <Screen title="Workflow" />;
}
