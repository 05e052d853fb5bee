// model: fields of LLM nodes and subflows: a model of a configured provider, a schema, and a workflow file.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Settings, WorkflowItem } from "../../../api/shapes.ts";
import { ask } from "../../client/api.ts";
import { workflowsQuery } from "../../client/queries.ts";
import { CodeField } from "../../code/code-field.tsx";
import type { FieldSpec } from "../../kinds.ts";
import { useField, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { relativeWorkflow, resolvedWorkflow } from "../subflow.ts";
import { DraftInput, written } from "./controls.tsx";
import { Frame } from "./frame.tsx";
import { MapField } from "./map.tsx";

/** The providers of the spec. Configured providers are added to them. */
const PROVIDERS = ["anthropic", "openai", "google", "ollama"];

export function ModelField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const settings = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => ask<Settings>("/settings", { signal }),
  });
  const configured = settings.data?.providers ?? [];
  const names = [...new Set([...configured.map(({ name }) => name), ...PROVIDERS])];
  const draft = useDraft(written(field.value), (text) => field.set(text.trim()));
  const [provider] = draft.text.split("/");
  const missing = configured.find(({ name }) => name === provider)?.key === "missing";
  return (
    <Frame label={spec.label} help={spec.help} findings={field.findings}>
      {(described) => (
        <>
          <DraftInput
            described={described}
            draft={draft}
            placeholder="provider/model"
            offered={names.map((name) => [`${name}/`, ""])}
          />
          {missing && <p className="text-sm text-waiting">No key is set for {provider}: add it under Settings.</p>}
        </>
      )}
    </Frame>
  );
}

/** JSON in the editor, a map in the document. Text that is not yet JSON stays in the editor, with a message. */
export function SchemaField({ spec }: { spec: FieldSpec }) {
  const { node } = usePanel();
  const field = useField(spec.path);
  const text = typeof field.value === "string" ? field.value : (JSON.stringify(field.value, null, 2) ?? "");
  const [wrong, setWrong] = useState<string>();
  const change = (next: string) => {
    try {
      const value: unknown = next.trim() === "" ? undefined : JSON.parse(next);
      setWrong(undefined);
      field.set(value);
    } catch (reason) {
      setWrong(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <Frame label={spec.label} help={spec.help} findings={field.findings} labelled>
      {(described) => (
        <>
          <CodeField
            key={node?.id}
            value={text}
            language="json"
            label={spec.label}
            describedBy={described["aria-describedby"]}
            invalid={wrong !== undefined || described["aria-invalid"]}
            lines={6}
            placeholder='{ "type": "object", "properties": { } }'
            onChange={change}
          />
          {wrong !== undefined && (
            <p role="status" className="text-sm text-failed">
              Not saved yet. This is not valid JSON: {wrong}
            </p>
          )}
        </>
      )}
    </Frame>
  );
}

/** The workflow file and the inputs that it requires. */
export function WorkflowField({ spec }: { spec: FieldSpec }) {
  const { doc } = usePanel();
  const field = useField(spec.path);
  const workflows = useQuery(workflowsQuery);
  const items = (workflows.data ?? []).filter(({ path }) => path !== doc.file);
  const draft = useDraft(written(field.value), (text) => field.set(text.trim()));
  const chosen = workflowAt(items, resolvedWorkflow(doc.file, draft.text));
  return (
    <Frame label="Workflow" help={spec.help} findings={field.findings}>
      {(described) => (
        <>
          <DraftInput
            described={described}
            draft={draft}
            offered={items.map(({ path, name }) => [relativeWorkflow(doc.file, path), name])}
          />
          {chosen?.description !== undefined && <p className="text-sm text-muted">{chosen.description}</p>}
          {chosen !== undefined && (
            <Link
              to="/w/$path"
              params={{ path: chosen.path }}
              className="inline-flex h-6 items-center self-start text-sm text-accent hover:underline"
            >
              Open {chosen.name}
            </Link>
          )}
        </>
      )}
    </Frame>
  );
}

export function SubflowInputs({ spec }: { spec: FieldSpec }) {
  const { doc, node } = usePanel();
  const workflows = useQuery(workflowsQuery);
  const chosen = workflowAt(workflows.data ?? [], resolvedWorkflow(doc.file, written(node?.data.workflow)));
  return <MapField spec={spec} noun="Input" offered={Object.keys(chosen?.inputs ?? {})} />;
}

function workflowAt(items: readonly WorkflowItem[], path: string): WorkflowItem | undefined {
  return items.find((item) => item.path === path);
}
