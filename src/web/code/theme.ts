// theme: the look of code in both themes. Colours are the tokens of ui/tokens.css, so a new theme needs no new editor
// (ui 6.6).
//   T1. CodeMirror adds its styles with the page's nonce (spec 4.3 S6). Without a nonce, there are no styles.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The nonce from the page's head, where the server writes it. */
export function pageNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  return meta?.content ?? "";
}

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono, ui-monospace, monospace)",
    lineHeight: "18px",
    fontVariantLigatures: "none",
  },
  ".cm-content": { padding: "6px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--hover) 60%, transparent)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": { outline: "1px solid var(--edge)" },
  ".cm-tooltip": {
    backgroundColor: "var(--node)",
    color: "var(--text)",
    border: "1px solid var(--edge)",
    borderRadius: "6px",
    maxWidth: "360px",
    overflowWrap: "anywhere",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", minHeight: "24px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-diagnostic": { padding: "6px 8px", borderLeft: "3px solid var(--waiting)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--failed)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--failed) 1px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--waiting) 1px" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--failed)" },
  ".cm-ref": {
    borderRadius: "4px",
    padding: "0 2px",
    backgroundColor: "color-mix(in srgb, var(--accent) 10%, transparent)",
    color: "var(--accent)",
  },
  ".cm-ref-secret": { backgroundColor: "color-mix(in srgb, var(--waiting) 11%, transparent)", color: "var(--waiting)" },
  ".cm-ref-unknown": { backgroundColor: "color-mix(in srgb, var(--failed) 10%, transparent)", color: "var(--failed)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--cancelled)" },
  { tag: [tags.string, tags.special(tags.string), tags.character], color: "var(--succeeded)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--waiting)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.propertyName)], color: "var(--running)" },
  { tag: [tags.standard(tags.variableName), tags.function(tags.variableName)], color: "var(--running)" },
  {
    tag: [tags.variableName, tags.definition(tags.variableName), tags.special(tags.variableName)],
    color: "var(--text)",
  },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.operator], color: "var(--muted)" },
  { tag: tags.invalid, color: "var(--failed)" },
]);

/** The theme with the page's nonce. */
export function codeLook(): Extension {
  return [EditorView.cspNonce.of(pageNonce()), look, syntaxHighlighting(colours)];
}
