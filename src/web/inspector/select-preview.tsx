// SelectPreview: evaluates `select` with the last run's output while the user types (ui 6.3).

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { at } from "../../api/address.ts";
import { shortRunId } from "../../base/ids.ts";
import type { Evaluated } from "../../workflow/evaluate.ts";
import { askRaw } from "../client/api.ts";
import { keys } from "../client/queries.ts";
import { parsed } from "../code/complete.ts";
import { getIn } from "../document/plain.ts";
import { usePanel } from "./context.ts";
import { type Evaluating, evaluating } from "./evaluate.ts";
import { Preview } from "./fields/choices.tsx";
import type { LastValues } from "./values.ts";

/** The maximum number of bytes of the output that are used. */
const LOOKED_AT = 2_000_000;
const TRY_AFTER_MS = 150;

export function SelectPreview() {
  const { node, last } = usePanel();
  const select = getIn(node?.data, ["output", "select"]);
  const format = getIn(node?.data, ["output", "format"]);
  const attempt = last.attempt(node?.id ?? "");
  const output = useLastOutput(attempt);
  const result = useResult(typeof select === "string" ? select : "", useInput(output, format));
  if (output === undefined)
    return (
      <p className="text-xs text-muted">Run the workflow or test this node once to see the result here as you type.</p>
    );
  return (
    <div className="flex flex-col gap-2">
      <Preview text={output} label={`Output of run ${shortRunId(attempt?.run ?? "")}`} />
      {result !== undefined && (
        <div role="status">
          {"failure" in result ? (
            <p className="text-sm text-failed">{result.failure.message}</p>
          ) : (
            <Preview text={asText(result.result)} label={result.result === undefined ? "Gives nothing" : "Gives"} />
          )}
        </div>
      )}
    </div>
  );
}

function asText(json: string | undefined): string {
  if (json === undefined) return "";
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** Parses the output as the engine does (kinds/cli/output.ts): JSON if it is JSON, or a list for lines. */
function useInput(output: string | undefined, format: unknown): unknown {
  return useMemo(() => {
    if (output === undefined) return undefined;
    if (format !== "lines") return parsed(output);
    return output
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "")
      .map(parsed);
  }, [output, format]);
}

/** The last output of the node's command, before `select`. */
function useLastOutput(attempt: ReturnType<LastValues["attempt"]>): string | undefined {
  const output = useQuery({
    queryKey: [...keys.run(attempt?.run ?? ""), "stdout", attempt?.path, attempt?.number],
    enabled: attempt !== undefined,
    queryFn: async ({ signal }) => {
      const { run, path, number } = attempt!;
      const answer = await askRaw(`${at("runs", run, "nodes", path, "attempts", number)}/output`, {
        signal,
        query: { stream: "stdout", from: 0, limit: LOOKED_AT },
        headers: { accept: "application/octet-stream" },
      });
      return (await answer.text()).replace(/\r?\n$/, "");
    },
  });
  return output.data;
}

function useResult(expression: string, input: unknown): Evaluated | undefined {
  const thread = useRef<Evaluating | undefined>(undefined);
  const [result, setResult] = useState<Evaluated>();
  useEffect(() => () => thread.current?.close(), []);
  useEffect(() => {
    if (expression.trim() === "" || input === undefined) {
      setResult(undefined);
      return undefined;
    }
    let current = true;
    const timer = setTimeout(async () => {
      thread.current ??= evaluating();
      const answer = await thread.current.ask(expression, { names: {}, input });
      if (current && answer !== undefined) setResult(answer);
    }, TRY_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [expression, input]);
  return result;
}
