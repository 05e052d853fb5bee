// useToggled: a set of keys that a press adds or removes.

import { useState } from "react";

export function useToggled(): [ReadonlySet<string>, (key: string) => void] {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void => {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  return [toggled, toggle];
}
