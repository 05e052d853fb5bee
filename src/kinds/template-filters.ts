// template-filters: implements the filters `|json |uri |b64 |int |arg |sh |file` (spec 1.3, 4.1). Pure text to text.
//   F1. `|json` is one JSON string with its quotes, whatever the value is. A value that is itself JSON needs no filter.
//   F2. `|sh` is exactly one word for a POSIX shell that parses it once more.
//   F3. `|file` needs a file, which the executor creates (script-values.ts). Here it fails.

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { FILTERS, type Reference } from "../shell/template.ts";

type Named = Pick<Reference, "root" | "members">;

/** Failures: `template-unknown-filter`, `template-filter`. */
export function applyFilter(reference: Named, filter: string, text: string): Result<string, Failure> {
  switch (filter) {
    case "json":
      return ok(JSON.stringify(text));
    case "uri":
      return text.isWellFormed() ? ok(percentEncode(text)) : err(notText(reference, filter));
    case "b64":
      return text.isWellFormed() ? ok(Buffer.from(text, "utf8").toString("base64")) : err(notText(reference, filter));
    case "int":
      return integer(reference, text);
    case "arg":
      return ok(text);
    case "sh":
      return ok(`'${text.replaceAll("'", "'\\''")}'`);
    case "file":
      return err(fileNotHere(reference));
    default:
      return err(unknownFilter(reference, filter));
  }
}

/** Encodes everything except RFC 3986 unreserved characters. encodeURIComponent leaves five others unchanged. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function integer(reference: Named, text: string): Result<string, Failure> {
  const trimmed = text.trim();
  // BigInt drops leading zeros, which a shell would read as octal.
  if (/^[+-]?[0-9]{1,40}$/.test(trimmed)) return ok(BigInt(trimmed.replace(/^\+/, "")).toString());
  return err({
    code: "template-filter",
    message: `\${${named(reference)}|int} needs an integer, but the value is ${JSON.stringify(text.slice(0, 40))}.`,
  });
}

const notText = failureOf("template-filter", (reference: Named, filter: string) => [
  `\${${named(reference)}|${filter}} cannot be computed: the value holds half a surrogate pair, which no UTF-8 text can.`,
]);
const fileNotHere = failureOf("template-filter", (reference: Named) => [
  `\${${named(reference)}|file} is for commands: it is the path of a file that lives as long as the command.`,
  "Use it in the content of a CLI node.",
]);
const unknownFilter = failureOf("template-unknown-filter", (reference: Named, filter: string) => [
  `\${${named(reference)}|${filter}}: there is no filter "${filter}". There are ${FILTERS.join(", ")}.`,
]);

/** The reference without its filter, as the author wrote it: `1.items[0].id`. */
function named({ root, members }: Named): string {
  return root + members.map((member) => (typeof member === "number" ? `[${member}]` : `.${member}`)).join("");
}
