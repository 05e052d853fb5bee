// useSteady: a handler that keeps its identity between renders, so that memoised children do not render again. It calls
// the newest handler and must not be called during rendering.

import { useInsertionEffect, useRef, useState } from "react";

export function useSteady<Given extends unknown[], Got>(handler: (...given: Given) => Got): (...given: Given) => Got {
  const newest = useRef(handler);
  // Runs before any effect that may call it.
  useInsertionEffect(() => {
    newest.current = handler;
  });
  const [steady] = useState(
    () =>
      (...given: Given): Got =>
        newest.current(...given),
  );
  return steady;
}
