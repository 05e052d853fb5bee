// error-words: extracts the error message from a response body, in the formats that APIs use. Pure.
//   {"error": {"message"}}   {"error": "…"}   {"error_description"}   {"message"}   {"errorSummary"}   {"title"}
//   {"errors": [{"message"}]}   {"detail": "…" or [{"loc", "msg"}]}   or plain text that is not HTML
// Returns an empty string when there is no message.

type Json = Record<string, unknown>;

export function errorWords(body: string): string {
  const text = body.trim();
  if (/^<|^$/.test(text)) return "";
  try {
    return wordsIn(JSON.parse(text));
  } catch {
    return text;
  }
}

function wordsIn(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map(wordsIn).find((words) => words !== "") ?? "";
  if (typeof value !== "object" || value === null) return "";
  const { error, error_description, message, detail, errors, errorSummary, msg, loc, title } = value as Json;
  if (typeof msg === "string") return `${Array.isArray(loc) ? `${loc.join(".")}: ` : ""}${msg}`;
  const described = typeof error === "string" ? (error_description ?? message ?? error) : error;
  return (
    [described, error_description, message, detail, errors, errorSummary, title]
      .map(wordsIn)
      .find((words) => words !== "") ?? ""
  );
}
