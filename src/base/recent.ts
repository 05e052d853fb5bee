// recent: a map that forgets the entry that was set longest ago when it is full.

export class Recent<Value> extends Map<string, Value> {
  private readonly most: number;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    for (const oldest of this.keys()) {
      if (this.size < this.most) break;
      this.delete(oldest);
    }
    return super.set(key, value);
  }
}
