// classes: joins class names, leaving out what is not there.

export function classes(...names: (string | false | undefined | null)[]): string {
  return names.filter(Boolean).join(" ");
}
