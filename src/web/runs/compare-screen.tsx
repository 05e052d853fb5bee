// CompareScreen: two runs side by side.

import { Screen } from "../app/screen.tsx";

export function CompareScreen() {
  return <Screen title="Compare runs" />;
}
