// Near: draws what is costly in a long list only once it comes near the window, and then keeps it (spec ui 6.8).
//   N1. Its place is kept by a minimum height of the caller's, so that nothing moves when it comes.
//   N2. Whoever tabs or scrolls to a row comes near it, and finds all of it there.

import { type ReactNode, useEffect, useRef, useState } from "react";

const margin = "600px";

export function Near({ children, className }: { children: ReactNode; className?: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isNear || element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div ref={place} className={className}>
      {isNear && children}
    </div>
  );
}
