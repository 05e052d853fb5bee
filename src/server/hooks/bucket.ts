// A token bucket: a rate per second, with room for a burst (spec 4.3).

export class Bucket {
  private readonly perSecond: number;
  private readonly most: number;
  private left: number;
  private atMs: number;

  constructor(perSecond: number, most: number, nowMs: number) {
    this.perSecond = perSecond;
    this.most = most;
    this.left = most;
    this.atMs = nowMs;
  }

  take(nowMs: number): boolean {
    this.left = Math.min(this.most, this.left + (Math.max(0, nowMs - this.atMs) / 1_000) * this.perSecond);
    this.atMs = nowMs;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
