// body-text: members of a body that must be text. The body was bounded and parsed before (security/body.ts).

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
