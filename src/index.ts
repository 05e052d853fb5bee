// index: what `import … from "curlew"` gives. Everything here is public; nothing else is.

export type { Answers } from "./api/answers.ts";
export { type Client, type ConnectOptions, connect, Refused } from "./api/client.ts";
export type * from "./api/shapes.ts";
export { readServerFile, type ServerFile } from "./app/instance.ts";
export { defineWorkflow, type Stop, WorkflowBuilder, type WorkflowDocument, workflow } from "./workflow/builder.ts";
export type { Diagnostic, Position, Range, Severity } from "./workflow/diagnostic.ts";
export { formatWorkflow } from "./workflow/format.ts";
export { workflowJsonSchema } from "./workflow/json-schema.ts";
export * from "./workflow/model.ts";
export { NodeType } from "./workflow/node-data.ts";
export { type ParsedWorkflow, parseWorkflow } from "./workflow/parse.ts";
export { renderDiagnostic } from "./workflow/render.ts";
export { type ValidatedWorkflow, type ValidateOptions, validateWorkflow } from "./workflow/validate.ts";
