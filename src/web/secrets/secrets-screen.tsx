// SecretsScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function SecretsScreen() {
  return <Screen title="Secrets" />;
}
