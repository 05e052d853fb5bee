// yaml-style: the house style of YAML texts, for `curlew fmt` and for the editor.

import { type Document, type Scalar, type ToStringOptions, visit, YAMLMap, YAMLSeq } from "yaml";

/** `{ a: 1 }` with spaces inside, `[a, b]` without. Lines are never wrapped. */
export function printYaml(document: Document, options: ToStringOptions = {}): string {
  visit(document, {
    Map: (_, map) => void Object.assign(map, { toString: paddedMap }),
    Seq: (_, seq) => void Object.assign(seq, { toString: tightSeq }),
    Scalar: (_, scalar) => void keepDigits(scalar),
  });
  return document.toString({
    lineWidth: 0,
    flowCollectionPadding: true,
    singleQuote: null,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    ...options,
  });
}

/** A long whole number keeps its digits, because where text is expected they are the text. */
function keepDigits(scalar: Scalar): void {
  const { value, source } = scalar;
  if (typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? ""))
    scalar.value = BigInt(source!);
}

const paddedMap: YAMLMap["toString"] = function (this: YAMLMap, context, onComment, onChompKeep) {
  const padded = context && { ...context, flowCollectionPadding: " " };
  return YAMLMap.prototype.toString.call(this, padded, onComment, onChompKeep);
};
const tightSeq: YAMLSeq["toString"] = function (this: YAMLSeq, context, onComment, onChompKeep) {
  const tight = context && { ...context, flowCollectionPadding: "" };
  return YAMLSeq.prototype.toString.call(this, tight, onComment, onChompKeep);
};

/** Text of several lines becomes a block (`|`), unless a block would change it. */
export function styleLines(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value === "string" && value.includes("\n") && !NOT_FOR_BLOCKS.test(value)) scalar.type = "BLOCK_LITERAL";
}

const NOT_FOR_BLOCKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|[ \t](?:\n|$)|^\s|\n\n$/;
