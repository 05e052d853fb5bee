import { expect, test } from "vitest";
import { drawnAt } from "./detail.ts";

test("text is at least 11 pixels on the screen at every zoom", () => {
  for (let percent = 35; percent <= 200; percent++) {
    const zoom = percent / 100;
    expect(drawnAt(zoom).textPx * zoom, `zoom ${zoom}`).toBeGreaterThanOrEqual(11);
  }
});
