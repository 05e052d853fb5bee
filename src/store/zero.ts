// zero: stores texts with zero characters, which PostgreSQL refuses, as texts without them.
//   Z1. U+E000 and a digit stand for a zero character, or for U+E000. Every text comes back as it was.

export function withoutZero(text: string): string {
  return text.replaceAll("\uE000", "\uE0001").replaceAll("\0", "\uE0000");
}

export function withZero(stored: string): string {
  return stored.replaceAll(/\uE000([01])/g, (_, digit) => (digit === "0" ? "\0" : "\uE000"));
}
