// useSteady: a handler that stays the same function from one rendering to the next, so that a part that got it is not drawn anew because
// what stands around it was. It does what the newest rendering says; rendering itself must not call it.

import { useInsertionEffect, useRef, useState } from "react";

export function useSteady<Given extends unknown[], Got>(handler: (...given: Given) => Got): (...given: Given) => Got {
  const newest = useRef(handler);
  // Before any effect that may call it.
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
