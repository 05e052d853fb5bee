// Tooltip: a short text for the hovered or focused element. It never holds information that is nowhere else.

import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Shortcut } from "./keys.tsx";

export function Tooltip({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Radix.Root delayDuration={400}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md border border-line bg-node px-2 py-1 text-sm text-text shadow-lg"
        >
          {text}
          {shortcut && <Shortcut keys={shortcut} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
