// names: the rules for names and typed values of secrets. Pure.

/** A newline at the end of a pasted value is removed. */
export function givenValue(typed: string): string {
  return typed.replace(/\r?\n$/, "");
}

/** Why a name is invalid, or undefined. The same rule as on the server. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return undefined;
  if (/^[0-9]/.test(name)) return "A name must not start with a digit.";
  if (!/^[A-Za-z0-9_]+$/.test(name)) return "Use letters, digits, and underscores.";
  return name.length > 64 ? "A name has at most 64 characters." : undefined;
}
