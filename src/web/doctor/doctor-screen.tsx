// DoctorScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function DoctorScreen() {
  return <Screen title="Doctor" />;
}
