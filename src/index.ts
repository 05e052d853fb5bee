// index: what `import … from "curlew"` gives. Everything here is public; nothing else is.

export type { Diagnostic, Position, Range, Severity } from "./workflow/diagnostic.ts";
export * from "./workflow/model.ts";
