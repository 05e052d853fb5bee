// The colours of tokens.css can be read: each text colour on each surface, in both themes (WCAG 2.2: 4.5:1 for text, 3:1 for borders).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

/** The contrast of two colours, 1 to 21 (WCAG 2.2, 1.4.3). */
function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

function mixed(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [one, other].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a * share + b * (1 - share))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The pairs whose contrast is below `least`, such as `light: muted on hover 4.2`. `tint`: of the colour on the surface. */
function tooFaint(names: readonly string[], surfaces: readonly string[], least: number, tint = 0): string[] {
  return THEMES.flatMap((theme: Theme) =>
    names.flatMap((name) =>
      surfaces.flatMap((surface) => {
        const [colour, ground] = [tokens.get(name)![theme], tokens.get(surface)![theme]];
        const found = contrast(colour, mixed(colour, ground, tint));
        return found >= least ? [] : [`${theme}: ${name} on ${surface} ${found.toFixed(2)}`];
      }),
    ),
  );
}

const STATES = ["queued", "running", "waiting", "succeeded", "failed", "skipped", "cancelled"];

test("text can be read on every surface", () => {
  expect(tooFaint(["text", "muted", "accent"], ["bg", "panel", "node", "sunken", "hover", "selected"], 4.5)).toEqual(
    [],
  );
  expect(tooFaint(["on-accent"], ["accent"], 4.5)).toEqual([]);
});

test("states can be read where they are shown", () => {
  expect(tooFaint(STATES, ["bg", "panel", "node"], 4.5)).toEqual([]);
});

test("icons of node kinds and tinted chips can be read on their tint", () => {
  const kinds = [...tokens.keys()].filter((name) => name.startsWith("kind-"));
  expect(kinds.length).toBe(9);
  expect(tooFaint(kinds, ["node", "panel", "bg"], 4.5, 0.12)).toEqual([]);
  expect(tooFaint(STATES, ["node", "panel"], 4.5, 0.1)).toEqual([]);
});

test("borders of cards and the focus ring are seen", () => {
  expect(tooFaint(["edge", "focus"], ["bg", "panel", "node"], 3)).toEqual([]);
});

test("black on white is 21:1, as the standard says", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
});
