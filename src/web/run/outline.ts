// outline: whether the steps of a run stand as a tree beside its canvas (spec ui 6.7); remembered on this machine.

import { useState } from "react";

const KEY = "curlew.run.outline";

export interface OutlineSwitch {
  isOpen: boolean;
  toggle: () => void;
}

export function useOutline(): OutlineSwitch {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(KEY) === "open");
  return {
    isOpen,
    toggle: () => {
      localStorage.setItem(KEY, isOpen ? "" : "open");
      setOpen(!isOpen);
    },
  };
}
