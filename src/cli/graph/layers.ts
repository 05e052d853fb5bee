// layers: where the items of a scope stand, once each has its layer: fewer crossings first, then each near its neighbours. Pure.

import type { Sizes } from "./layout.ts";

const SWEEPS = 6;

export interface Item {
  /** A node, or the start of an inner loop whose whole box this is; undefined: a bend of a long edge. */
  node: number | undefined;
  layer: number;
  width: number;
  height: number;
  above: Item[];
  below: Item[];
  x: number;
  y: number;
  order: number;
}

/** Fewer crossings: each layer in the order of the middle of its neighbours, down and up again. */
export function untangle(layers: Item[][]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      const middles = new Map(layer.map((item) => [item, middle(down ? item.above : item.below, item.order)]));
      layer.sort((a, b) => middles.get(a)! - middles.get(b)!);
      for (const [order, item] of layer.entries()) item.order = order;
    }
  }
}

function middle(items: readonly Item[], otherwise: number): number {
  if (items.length === 0) return otherwise;
  let sum = 0;
  for (const item of items) sum += item.order;
  return sum / items.length;
}

/** x is the middle of an item, y its upper edge. */
export function place(layers: Item[][], sizes: Sizes, result: { width: number; height: number }): void {
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(0, ...layer.map((item) => item.height));
    for (const item of layer) {
      // A bend is as high as its layer, so that the edge passes beside what stands there.
      if (item.node === undefined) item.height = height;
      item.y = y;
    }
    y += height + sizes.gapY;
    let x = 0;
    for (const item of layer) {
      item.x = x + item.width / 2;
      x += item.width + sizes.gapX;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) align(layer, sweep % 2 === 0, sizes.gapX);
  const all = layers.flat();
  const left = all.reduce((least, item) => Math.min(least, item.x - item.width / 2), Number.POSITIVE_INFINITY);
  for (const item of all) item.x -= left;
  result.width = all.reduce((most, item) => Math.max(most, item.x + item.width / 2), 0);
  result.height = Math.max(0, y - sizes.gapY);
}

/** Each item goes to the middle of its neighbours; who would overlap forms a block that goes to the middle of its wishes. */
function align(layer: Item[], down: boolean, gap: number): void {
  interface Block {
    items: Item[];
    /** Sum of (wish − offset in the block). */
    pull: number;
    width: number;
    left: number;
  }
  const blocks: Block[] = [];
  for (const item of layer) {
    const near = down ? item.above : item.below;
    const wish = near.length === 0 ? item.x : near.reduce((sum, other) => sum + other.x, 0) / near.length;
    let block: Block = { items: [item], pull: wish - item.width / 2, width: item.width, left: wish - item.width / 2 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.left + last.width + gap > block.left;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      const shift = last.width + gap;
      const items = last.items.concat(block.items);
      const pull = last.pull + block.pull - shift * block.items.length;
      block = { items, pull, width: shift + block.width, left: pull / items.length };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let x = block.left;
    for (const item of block.items) {
      item.x = x + item.width / 2;
      x += item.width + gap;
    }
  }
}
