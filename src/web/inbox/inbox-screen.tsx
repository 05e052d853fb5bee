// InboxScreen: a first simple version; its owner replaces it.

import { Screen } from "../app/screen.tsx";

export function InboxScreen() {
  return <Screen title="Inbox" />;
}
