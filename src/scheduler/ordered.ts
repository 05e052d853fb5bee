// ordered: a small list that stays sorted; taking the first and adding at the end, which is nearly always what happens, cost nothing.

export class Ordered<T> {
  private items: (T | undefined)[] = [];
  private head = 0;
  private readonly compare: (one: T, other: T) => number;

  constructor(compare: (one: T, other: T) => number) {
    this.compare = compare;
  }

  get size(): number {
    return this.items.length - this.head;
  }

  add(item: T): void {
    const at = this.place(item);
    if (at === this.items.length) this.items.push(item);
    else this.items.splice(at, 0, item);
  }

  delete(item: T): void {
    const at = this.place(item);
    if (this.items[at] !== item) return;
    if (at !== this.head) {
      this.items.splice(at, 1);
      return;
    }
    this.items[at] = undefined;
    this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }

  /** The first `most` in order. */
  first(most: number): T[] {
    return this.items.slice(this.head, this.head + most) as T[];
  }

  private place(item: T): number {
    let low = this.head;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(this.items[middle] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
