// own-http: what a value is to `curlew http`: part of a URL, a header, a body that may name a file (spec 4.1, guards).

import { urlGuards, valueSegments } from "./http.ts";
import type { Mark } from "./marks.ts";
import { type Argument, type OptionSpec, split } from "./options.ts";
import type { Guard } from "./types.ts";
import { before } from "./words.ts";

/** Options of `curlew http` that take a value (cli/http/options.ts); --graphql may stand alone, so that what follows it counts as a URL. */
export const CURLEW_HTTP: OptionSpec = {
  short: "HdFom",
  long: [
    "auth",
    "cacert",
    "cert",
    "connect-timeout",
    "cursor",
    "data",
    "form",
    "header",
    "items",
    "json",
    "key",
    "max-filesize",
    "max-pages",
    "max-redirs",
    "max-time",
    "output",
    "page-param",
    "paginate",
    "query",
    "retry",
    "retry-delay",
    "retry-max-time",
    "stop",
    "variables",
  ].map((name) => `--${name}`),
};
const OWN_FILE_MARKS = new Set([
  "-d",
  "--data",
  "--json",
  "-F",
  "--form",
  "-H",
  "--header",
  "--variables",
  "--graphql",
]);

/** The same of `curlew http`, whose first word is `http`. */
export function ownHttpGuards(args: readonly Argument[], argument: Argument, mark: Mark): Guard[] {
  const items = split(args.slice(1), CURLEW_HTTP);
  const item = items.find((candidate) => candidate.argument === argument);
  if (item === undefined) return [];
  const { segments } = argument.content;
  const client = "curlew http";
  if (item.kind === "positional") {
    const [ahead] = args.slice(args.indexOf(argument) - 1);
    if (ahead?.content.literal === "--graphql")
      return [{ kind: "at-file", option: "--graphql", bare: "marks", client }];
    // Before the URL stands the method.
    return item.position === 0 && before(segments, mark)?.first === true ? [] : urlGuards(segments, mark);
  }
  if (item.option === undefined || !OWN_FILE_MARKS.has(item.option)) return [];
  const { option } = item;
  const place = before(valueSegments(item), mark);
  if (place === undefined) return [];
  const guards: Guard[] = /^(?:-H|--header)$/.test(option) ? [{ kind: "header", option, client }] : [];
  const afterName = /^(?:-F|--form)$/.test(option) && /^[^=]*=$/.test(place.text);
  if ((place.text === "" && !place.dynamic) || afterName)
    guards.push({ kind: "at-file", option, bare: "marks", client });
  return guards;
}
