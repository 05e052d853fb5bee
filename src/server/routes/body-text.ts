// body-text: members of a body: that they are text, and that there are no others. The body was bounded and parsed before (security/body.ts).

export function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}

/** `text`, or another member; nothing when it is not there or is no text. */
export function textIn(body: unknown, name = "text"): string | undefined {
  const value = memberOf(body, name);
  return typeof value === "string" ? value : undefined;
}

/** A body has no other members: one that is misspelt would go unheard, and what was asked for would not be what is done. */
export function hasOnly(body: unknown, names: readonly string[]): boolean {
  if (body === undefined) return true;
  return (
    typeof body === "object" &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).every((name) => names.includes(name))
  );
}
