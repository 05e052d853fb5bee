// ordered: a sorted list that is fast when items are added at the end and taken from the front.

export class Ordered<T> {
  private items: T[] = [];
  private readonly compare: (one: T, other: T) => number;

  constructor(compare: (one: T, other: T) => number) {
    this.compare = compare;
  }

  get size(): number {
    return this.items.length;
  }

  add(item: T): void {
    this.items.splice(this.place(item), 0, item);
  }

  delete(item: T): void {
    const at = this.place(item);
    if (this.items[at] === item) this.items.splice(at, 1);
  }

  clear(): void {
    this.items = [];
  }

  /** The first `most` items, in order. */
  first(most: number): T[] {
    return this.items.slice(0, most);
  }

  private place(item: T): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(this.items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
