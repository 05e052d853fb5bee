// Checks the members of a parsed body: their type, and that there are no unknown ones.
// security/body.ts has bounded and parsed it.

export function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}

/** The member `text`, or another one. Undefined if it is missing or not a string. */
export function textIn(body: unknown, name = "text"): string | undefined {
  const value = memberOf(body, name);
  return typeof value === "string" ? value : undefined;
}

/**
 * Unknown members are rejected: a misspelt one would be ignored, and the result would not be what the caller asked for.
 */
export function hasOnly(body: unknown, names: readonly string[]): boolean {
  if (body === undefined) return true;
  return (
    typeof body === "object" &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).every((name) => names.includes(name))
  );
}
