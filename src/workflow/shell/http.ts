// http: what a value is to curl and its like: part of a URL, a header, a body that may name a file (spec 4.1, guards).

import { CURL_SHORT_TAKING, CURL_TAKING } from "../../base/curl-options.ts";
import type { Mark } from "./marks.ts";
import { type Argument, type Item, type OptionSpec, split } from "./options.ts";
import type { Guard } from "./types.ts";
import { before, type Segment } from "./words.ts";

/** curl's options that take a value. */
export const CURL: OptionSpec = { short: CURL_SHORT_TAKING, long: CURL_TAKING.map((name) => `--${name}`) };

const FILE_MARKS = new Set([
  "-d",
  "--data",
  "--data-ascii",
  "--data-binary",
  "--json",
  "-F",
  "--form",
  "-H",
  "--header",
  "--proxy-header",
  "-b",
  "--cookie",
  "--data-urlencode",
  "-w",
  "--write-out",
]);
const HEADERS = new Set([
  "-H",
  "--header",
  "--proxy-header",
  "-A",
  "--user-agent",
  "-e",
  "--referer",
  "-u",
  "--user",
  "-U",
  "--proxy-user",
  "-b",
  "--cookie",
  "-X",
  "--request",
  "--oauth2-bearer",
]);

/** Guards of a value in an argument of curl; undefined when the argument is an ordinary positional of another program. */
export function curlGuards(args: readonly Argument[], argument: Argument, mark: Mark): Guard[] {
  const item = split(args, CURL).find((candidate) => candidate.argument === argument);
  if (item === undefined) return [];
  if (item.kind === "positional") return urlGuards(argument.content.segments, mark);
  if (item.kind === "flag" || item.option === undefined) return [];
  return optionGuards(item, item.option, mark);
}

function optionGuards(item: Item, option: string, mark: Mark): Guard[] {
  const segments = valueSegments(item);
  const place = before(segments, mark);
  if (place === undefined) return [];
  const guards: Guard[] = [];
  if (option === "--url") return urlGuards(segments, mark);
  if (HEADERS.has(option)) guards.push({ kind: "header", option });
  if (!FILE_MARKS.has(option)) return guards;

  const begins = place.text === "" && !place.dynamic;
  const afterName = /^(-F|--form)$/.test(option) && /^[^=]*=$/.test(place.text);
  if (option === "--data-urlencode" && !place.text.includes("="))
    guards.push({ kind: "at-file", option, bare: "any-at" });
  else if (/^(-b|--cookie)$/.test(option) && begins && !laterEquals(segments, mark))
    guards.push({ kind: "at-file", option, bare: "no-equals" });
  else if (begins || afterName) guards.push({ kind: "at-file", option, bare: "marks" });
  return guards;
}

/** The option's value: of `-dVALUE` what follows the letter, of `--data=VALUE` what follows the sign. */
export function valueSegments(item: Item): Segment[] {
  const segments = item.argument.content.segments;
  const first = segments[0];
  if (item.kind !== "attached" || first === undefined || !("text" in first)) return segments;
  const head = first.text;
  const cut = head.startsWith("--") ? head.indexOf("=") + 1 : head.indexOf(item.option?.[1] ?? "", 1) + 1;
  return [...(cut < head.length ? [{ text: head.slice(cut) }] : []), ...segments.slice(1)];
}

function laterEquals(segments: readonly Segment[], mark: Mark): boolean {
  const at = segments.findIndex((segment) => "mark" in segment && segment.mark === mark);
  return segments.slice(at + 1).some((segment) => "text" in segment && segment.text.includes("="));
}

/** Guards of a value in a word that is, or may be, a URL. */
export function urlGuards(segments: readonly Segment[], mark: Mark): Guard[] {
  const place = before(segments, mark);
  if (place === undefined) return [];
  if (place.first) return [{ kind: "url", part: segments.length === 1 ? "whole" : "base" }];
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.exec(place.text);
  const rest = absolute === null ? place.text : place.text.slice(absolute[0].length);
  if (/[?#]/.test(rest)) return [{ kind: "url", part: "query" }];
  if (rest.includes("/") || (absolute === null && (place.marks.length > 0 || place.dynamic)))
    return [{ kind: "url", part: "path" }];
  return [{ kind: "url", part: "host" }];
}

/** A word that begins like a URL, for programs whose options are not known here. */
export function looksLikeUrl(segments: readonly Segment[]): boolean {
  const first = segments[0];
  return first !== undefined && "text" in first && /^https?:\/\//i.test(first.text);
}

/** Whether a text is JSON with the mark inside one of its strings. */
export function insideJsonString(segments: readonly Segment[], mark: Mark): boolean {
  const first = segments[0];
  if (first === undefined || !("text" in first) || !/^\s*[{[]/.test(first.text)) return false;
  let text = "";
  let inString = false;
  let found = false;
  for (const segment of segments) {
    if (!("text" in segment)) {
      // A value outside strings is JSON of its own, inside it is some text.
      text += inString ? "x" : "0";
      if ("mark" in segment && segment.mark === mark) found = inString;
      continue;
    }
    text += segment.text;
    inString = endsInString(segment.text, inString);
  }
  if (!found) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function endsInString(text: string, inString: boolean): boolean {
  let inside = inString;
  for (let at = 0; at < text.length; at++) {
    if (inside && text[at] === "\\") at++;
    else if (text[at] === '"') inside = !inside;
  }
  return inside;
}
