// CodeField: a framed CodeEditor, loaded when first shown. Until then the plain text is shown, so that the layout does
// not jump.

import { Suspense } from "react";
import { classes } from "../ui/classes.ts";
import { lazily } from "../ui/lazily.ts";
import type { CodeEditorProps } from "./code-editor.tsx";

const CodeEditor = lazily(
  () => import("./code-editor.tsx"),
  (it) => it.default,
);

export interface CodeFieldProps extends CodeEditorProps {
  invalid?: boolean;
  /** Minimum number of lines shown. */
  lines?: number;
}

const HEIGHTS: Record<number, string> = { 1: "min-h-8", 3: "min-h-[66px]", 6: "min-h-[120px]", 10: "min-h-[192px]" };

export function CodeField({ invalid, lines = 1, ...props }: CodeFieldProps) {
  return (
    <div
      className={classes(
        "max-h-[50vh] overflow-auto rounded-md border bg-bg",
        "focus-within:outline-2 focus-within:outline-focus",
        invalid ? "border-failed" : "border-edge/70",
        HEIGHTS[lines],
      )}
    >
      <Suspense fallback={<pre className="px-2 py-1.5 whitespace-pre-wrap text-muted">{props.value}</pre>}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}
