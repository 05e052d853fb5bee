// http: finds how curl, `curlew http` and similar clients use a value: as part of a URL, a header, or a body that may
// name a file (spec 4.1, guards).

import { CURL_SHORT_TAKING, CURL_TAKING } from "../../base/curl-options.ts";
import { insideJsonStrings } from "../template.ts";
import type { Mark } from "./marks.ts";
import { type Item, type OptionSpec, split } from "./options.ts";
import type { Placement } from "./place.ts";
import type { Guard } from "./types.ts";
import { type Argument, before, type Segment } from "./words.ts";

export const CURL: OptionSpec = {
  short: CURL_SHORT_TAKING,
  long: CURL_TAKING.map((name) => `--${name}`),
  switches: (
    "fail fail-with-body fail-early insecure proxy-insecure doh-insecure get head include location location-trusted next disable " +
    "remote-name remote-name-all silent show-error compressed version help manual netrc netrc-optional"
  )
    .split(" ")
    .map((name) => `--${name}`),
};

/** Options of `curlew http` that take a value (cli/http/options.ts). */
export const CURLEW_HTTP: OptionSpec = {
  short: "Hdm",
  long: (
    "auth cacert cursor data graphql header items json max-pages max-time page-param paginate query " +
    "retry retry-delay retry-max-time stop"
  )
    .split(" ")
    .map((name) => `--${name}`),
};

const FILE_MARKS =
  /^(?:-[dFHbw]|--(?:data|data-ascii|data-binary|json|form|header|proxy-header|cookie|data-urlencode|write-out))$/;
const OWN_FILE_MARKS = /^(?:-[dH]|--(?:data|json|header|graphql))$/;
const HEADERS =
  /^(?:-[HAeuUbX]|--(?:header|proxy-header|user-agent|referer|user|proxy-user|cookie|request|oauth2-bearer))$/;
const OTHER_CLIENTS = /^(?:wget|https?|xhs?|curlie|curlew)$/;

/** `isWord`: it may also be read as an option. Undefined for other programs. */
export function httpGuards(
  name: string | undefined,
  args: readonly Argument[],
  argument: Argument,
  mark: Mark,
): { guards: Guard[]; isWord: boolean } | undefined {
  const { segments } = argument;
  if (name === "curl") {
    const guards = clientGuards(args, argument, mark, CURL);
    return { guards, isWord: guards.some(({ kind }) => kind === "url") };
  }
  if (name === "curlew" && args[0]?.literal === "http") {
    const guards = clientGuards(args.slice(1), argument, mark, CURLEW_HTTP);
    return { guards, isWord: guards.length === 0 || guards.some(({ kind }) => kind === "url") };
  }
  const [first] = segments;
  const isUrl = first !== undefined && "text" in first && /^https?:\/\//i.test(first.text);
  return isUrl && OTHER_CLIENTS.test(name ?? "") ? { guards: urlGuards(segments, mark), isWord: true } : undefined;
}

function clientGuards(args: readonly Argument[], argument: Argument, mark: Mark, spec: OptionSpec): Guard[] {
  const item = split(args, spec).find((one) => one.argument === argument);
  if (item === undefined || item.kind === "flag") return [];
  const isOwn = spec === CURLEW_HTTP;
  const client = isOwn ? { client: "curlew http" } : {};
  if (item.kind === "positional") {
    // The first word of `curlew http` may be the method.
    const isMethod = isOwn && item.position === 0 && before(argument.segments, mark)?.first === true;
    return isMethod ? [] : urlGuards(argument.segments, mark);
  }
  const { option = "" } = item;
  const segments = valueSegments(item);
  const place = before(segments, mark);
  if (place === undefined) return [];
  if (option === "--url") return urlGuards(segments, mark);
  const guards: Guard[] = [];
  if (HEADERS.test(option) && (!isOwn || OWN_FILE_MARKS.test(option)))
    guards.push({ kind: "header", option, ...client });
  if (!(isOwn ? OWN_FILE_MARKS : FILE_MARKS).test(option)) return guards;

  const begins = place.text === "" && !place.dynamic;
  const afterName = /^(-F|--form)$/.test(option) && /^[^=]*=$/.test(place.text);
  if (option === "--data-urlencode" && !place.text.includes("="))
    guards.push({ kind: "at-file", option, bare: "any-at" });
  else if (/^(-b|--cookie)$/.test(option) && begins && !laterEquals(segments, mark))
    guards.push({ kind: "at-file", option, bare: "no-equals" });
  else if (begins || afterName) guards.push({ kind: "at-file", option, bare: "marks", ...client });
  return guards;
}

/** The option's value: for an attached one, the rest of the word. */
function valueSegments({ argument, from }: Item): Segment[] {
  const [first, ...rest] = argument.segments;
  if (from === 0 || first === undefined || !("text" in first)) return argument.segments;
  return from < first.text.length ? [{ text: first.text.slice(from) }, ...rest] : rest;
}

function laterEquals(segments: readonly Segment[], mark: Mark): boolean {
  const at = segments.findIndex((segment) => "mark" in segment && segment.mark === mark);
  return segments.slice(at + 1).some((segment) => "text" in segment && segment.text.includes("="));
}

/** Guards of a value in a word that is, or may be, a URL. */
function urlGuards(segments: readonly Segment[], mark: Mark): Guard[] {
  const place = before(segments, mark);
  if (place === undefined) return [];
  if (place.first) return [{ kind: "url", part: segments.length === 1 ? "whole" : "base" }];
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(place.text) ?? [];
  const rest = place.text.slice(scheme?.length ?? 0);
  if (/[?#]/.test(rest)) return [{ kind: "url", part: "query" }];
  if (rest.includes("/")) return [{ kind: "url", part: "path" }];
  const isAfterBase = scheme === undefined && (place.marks.length > 0 || place.dynamic);
  return [{ kind: "url", part: isAfterBase ? "after-base" : "host" }];
}

export function addJsonGuard(segments: readonly Segment[], mark: Mark | undefined, place: Placement): void {
  if (mark !== undefined && insideJsonString(segments, mark)) place.guards.push({ kind: "json-string" });
}

/** Whether the text is JSON with the mark inside one of its strings. */
function insideJsonString(segments: readonly Segment[], mark: Mark): boolean {
  return insideJsonStrings(segments.map((segment) => ("text" in segment ? segment.text : segment))).some(
    (segment) => "mark" in segment && segment.mark === mark,
  );
}
