// ReadoutView: shows below a command what it will do: requests, pipelines, and why it needs approval. On demand it shows the rendered command without secrets (ui 6.3). It never changes the command.

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PreviewStep } from "../../api/shapes.ts";
import { ask } from "../client/api.ts";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { loaded } from "../ui/lazily.ts";
import { Problem } from "../ui/problem.tsx";
import { usePanel } from "./context.ts";
import { Preview } from "./fields/choices.tsx";
import type { Readout, RequestReadout } from "./readout.ts";

/** Milliseconds after the last change of the document. */
const READ_AFTER_MS = 120;

export function ReadoutView() {
  const { graph, node } = usePanel();
  const id = node?.id ?? "";
  const content = node?.data.content;
  const [readout, setReadout] = useState<{ id: string; told: Readout }>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      const [{ readoutOf }, { readHttp }] = await loaded(() =>
        Promise.all([import("./readout.ts"), import("./http-form.ts")]),
      );
      // Loads the parser too, which the next line needs.
      const http = typeof content === "string" ? await loaded(() => readHttp(content)) : undefined;
      const told = await readoutOf(graph, id).catch(
        (): Readout => ({ ...NO_READOUT, unread: "Curlew can't read it." }),
      );
      // The form above shows a single request.
      if (http !== undefined && "form" in http) told.requests = [];
      if (current) setReadout({ id, told });
    }, READ_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [graph, id, content]);
  if (readout === undefined || readout.id !== id) return null;
  const { requests, pipelines, asks, unread } = readout.told;
  return (
    <section aria-label="What the command does" className="flex flex-col gap-3 rounded-md border border-line p-3">
      {unread !== undefined && <p className="text-sm text-muted">{unread}</p>}
      {requests.map((request, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a request is identified by its position in the text.
        <RequestView key={at} request={request} />
      ))}
      {pipelines.some((programs) => programs.length > 1) && (
        <ReadoutPart title="Pipeline">
          {pipelines.map((programs, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pipe is identified by its position in the text.
            <p key={at} className="font-mono text-xs break-all">
              {programs.join(" │ ")}
            </p>
          ))}
        </ReadoutPart>
      )}
      {asks.length > 0 && (
        <ReadoutPart
          title={
            node?.effective.safetyLevel === "advanced" ? "It runs without approval (advanced)" : "It needs approval"
          }
        >
          <ul className="list-disc pl-4 text-sm text-waiting">
            {asks.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </ReadoutPart>
      )}
      <Rendered />
    </section>
  );
}

const NO_READOUT: Readout = { requests: [], pipelines: [], asks: [] };

function ReadoutPart({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm font-semibold text-muted">{title}</h3>
      {children}
    </div>
  );
}

function RequestView({ request: { client, method = "?", url, headers, body } }: { request: RequestReadout }) {
  return (
    <ReadoutPart title={client}>
      <p className="font-mono text-xs break-all">
        <span className="font-semibold text-accent">{method}</span> {url === "" ? "(no address)" : url}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 font-mono text-xs">
        {headers.map(({ name, value }) => (
          <Pair key={`${name} ${value}`} name={name} value={value} />
        ))}
        {body.map(({ option, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a body never move.
          <Pair key={at} name={option} value={text} />
        ))}
      </dl>
    </ReadoutPart>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="max-h-24 overflow-auto break-all whitespace-pre-wrap">{value}</dd>
    </>
  );
}

const FACTS: readonly (readonly [string, (step: PreviewStep) => string | undefined])[] = [
  ["shell", ({ shell }) => shell],
  ["folder", ({ cwd }) => cwd],
  ["stdin", ({ stdin }) => stdin],
  ["exports", ({ env }) => env?.join(", ")],
  ["signs in", ({ auth }) => auth],
  ["timeout", ({ timeout }) => timeout],
  ["approval", ({ approval }) => approval],
  ["sandbox", ({ sandbox }) => sandbox],
  ["connects", ({ egress }) => egress],
];

/** The same rendering as `curlew run --dry-run`. */
function Rendered() {
  const { doc, node } = usePanel();
  const preview = useMutation({
    mutationFn: () =>
      ask<{ items: PreviewStep[] }>("/preview", {
        method: "POST",
        body: { path: doc.file, text: doc.text, node: node?.id },
      }),
  });
  const step = preview.data?.items.find(({ id }) => id === node?.id);
  return (
    <div className="flex flex-col gap-2">
      <Button size="small" className="self-start" busy={preview.isPending} onClick={() => preview.mutate()}>
        Show the rendered command
      </Button>
      {preview.error !== null && <Problem problem={problemOf(preview.error)} />}
      {step !== undefined && (
        <>
          <Preview text={step.command} label="The rendered command" />
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 font-mono text-xs">
            {FACTS.flatMap(([name, tell]) => {
              const value = tell(step);
              return value === undefined || value === "" ? [] : [<Pair key={name} name={name} value={value} />];
            })}
          </dl>
        </>
      )}
      {preview.isSuccess && step === undefined && (
        <p className="text-sm text-muted">It would not run with these inputs.</p>
      )}
    </div>
  );
}
