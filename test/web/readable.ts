// readable: whether what is drawn can be seen, by the pixels: colours that a browser puts in place of ours stand in no stylesheet.

import type { Page } from "playwright-core";

interface Words {
  text: string;
  box: { x: number; y: number; width: number; height: number };
}

/** Words that are nearly of the colour behind them: at least 3:1 is asked (WCAG 1.4.11), dimmed ones left out. */
export async function unreadable(page: Page): Promise<string[]> {
  const words = await page.evaluate(seenWords);
  const png = (await page.screenshot()).toString("base64");
  // In a window of its own: the page stays the one in front.
  const context = await page.context().browser()!.newContext();
  try {
    return await (await context.newPage()).evaluate(faint, { png, words });
  } finally {
    await context.close();
  }
}

/** In the page. Of texts that are wholly in sight. */
function seenWords(): Words[] {
  const found: Words[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (
      parent === null ||
      node.textContent?.trim() === "" ||
      !parent.checkVisibility() ||
      parent.closest(".sr-only, option, svg, .cm-editor")
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    if (width < 4 || height < 4 || x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) continue;
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    if (top === null || !(parent.contains(top) || top.contains(parent))) continue;
    let opacity = 1;
    for (let at: Element | null = parent; at !== null; at = at.parentElement)
      opacity *= Number(getComputedStyle(at).opacity);
    if (opacity < 0.9 || parent.closest(":disabled, [aria-disabled=true]")) continue;
    // Its middle: a plate behind the words ends with their line.
    const inner = { x: x + 1, y: y + height / 4, width: width - 2, height: height / 2 };
    found.push({ text: node.textContent!.trim().slice(0, 40), box: inner });
  }
  return found;
}

/** In an empty page. */
async function faint({ png, words }: { png: string; words: Words[] }): Promise<string[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  const channel = (value: number) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return words.flatMap(({ text, box }) => {
    const { data } = context.getImageData(box.x, box.y, Math.ceil(box.width), Math.ceil(box.height));
    let darkest = 1;
    let brightest = 0;
    for (let at = 0; at < data.length; at += 4) {
      const light = 0.2126 * channel(data[at]!) + 0.7152 * channel(data[at + 1]!) + 0.0722 * channel(data[at + 2]!);
      darkest = Math.min(darkest, light);
      brightest = Math.max(brightest, light);
    }
    const contrast = (brightest + 0.05) / (darkest + 0.05);
    return contrast < 3 ? [`"${text}" ${contrast.toFixed(2)} at ${Math.round(box.x)},${Math.round(box.y)}`] : [];
  });
}
