// RequestView: the HTTP calls of an attempt in the bottom panel: what was sent, what came back, and how long each phase
// took (spec ui-2 item 4). Credentials are hidden (request.ts Q1).

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { HttpCall } from "../../base/http-call.ts";
import { visible } from "../../base/visible.ts";
import type { AttemptView, NodeView } from "../../scheduler/view.ts";
import type { Readout } from "../inspector/readout.ts";
import { DocsLink } from "../ui/docs-link.tsx";
import { Code, Section } from "../ui/facts.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { count, duration, size } from "../ui/words.ts";
import { HeaderTable, HttpTable, Status } from "./http-table.tsx";
import { bodyAt, type Phase, phasesOf, requestOf, type Sent, sentOf } from "./request.ts";
import type { RunModel } from "./run-model.ts";
import { savePart, stdoutPath, usePart } from "./value/source.ts";
import { jsonOf, prettyJson } from "./value/value.ts";
import { ValueBody } from "./value/value-body.tsx";

export interface RequestViewProps {
  model: RunModel;
  node: NodeView | undefined;
  attempt: AttemptView | undefined;
  /** Index of the call to show first. Absent: the one that failed last, or the last one. */
  first: number | undefined;
}

export function RequestView({ model, node, attempt, first }: RequestViewProps) {
  const [chosen, setChosen] = useState(first);
  if (node === undefined) return <p className="p-4 text-muted">Select a node to see its HTTP calls.</p>;
  const { http = [], warnings = [] } = attempt ?? {};
  const failed = http.findLastIndex(({ status }) => status === 0 || status >= 400);
  const at = chosen !== undefined && chosen < http.length ? chosen : failed >= 0 ? failed : http.length - 1;
  const call = http[at];
  return (
    <section tabIndex={0} aria-label="HTTP calls of the node" className="flex h-full flex-col gap-3 overflow-auto p-3">
      {warnings
        .filter(({ code }) => code === "curl-unseen")
        .map(({ message }) => (
          <p key={message} className="border-l-2 border-waiting pl-3 text-waiting">
            {visible(message)}{" "}
            <DocsLink page="reference/http-calls" className="underline">
              What Curlew records
            </DocsLink>
          </p>
        ))}
      {call === undefined && (
        <p className="text-muted">
          {attempt === undefined ? "The node has made no HTTP calls." : "No HTTP calls are recorded for this attempt."}{" "}
          Curlew records those of curl and <code>curlew http</code>.
        </p>
      )}
      {http.length > 1 && (
        <div className="max-h-40 shrink-0 overflow-auto">
          <HttpTable calls={http} shown={at} onCall={setChosen} />
        </div>
      )}
      {call !== undefined && attempt !== undefined && (
        <CallView key={`${node.path} ${attempt.number} ${at}`} {...{ model, node, attempt, call, at }} />
      )}
    </section>
  );
}

interface CallViewProps {
  model: RunModel;
  node: NodeView;
  attempt: AttemptView;
  call: HttpCall;
  at: number;
}

function CallView({ model, node, attempt, call, at }: CallViewProps) {
  const sent = useSent(model, node, attempt, at);
  const isLast = at === attempt.http.length - 1;
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-4">
        <h3 className="min-w-0 font-mono wrap-anywhere">
          <Status call={call} /> {call.method} {visible(call.url)}
        </h3>
        <p className="text-sm text-muted">{factsOf(call).join(" · ")}</p>
      </header>
      <Timings call={call} />
      {call.error !== undefined && <p className="text-failed">{visible(call.error)}</p>}
      <div className="grid gap-x-6 gap-y-4 *:min-w-0 lg:grid-cols-2">
        <Section title="Request">
          <SentView sent={sent} call={call} />
        </Section>
        <Section title="Response">
          <ReceivedView run={model.started.run} {...{ node, attempt, at }} />
          <HeaderTable headers={Object.entries(call.headers)} />
          {!isLast && <p className="text-sm text-muted">Curlew keeps all headers of the last call only.</p>}
        </Section>
      </div>
    </>
  );
}

/** The request according to the recorded command. Undefined while the command is read. */
function useSent(model: RunModel, node: NodeView, attempt: AttemptView, at: number): Sent | "unknown" | undefined {
  const { graph, started } = model;
  const drawn = graph.nodes[graph.indexOf.get(node.id) ?? -1]?.node;
  const isEdited = drawn === undefined || !("content" in drawn.data) || attempt.command !== drawn.data.content;
  const { data, isPending } = useQuery({
    queryKey: ["readout", started.run, node.id],
    queryFn: async (): Promise<Readout> => (await import("../inspector/readout.ts")).readoutOf(graph, node.id),
    enabled: !isEdited,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isEdited && isPending) return undefined;
  const request = data && requestOf(data, attempt.http, at);
  return request === undefined ? "unknown" : sentOf(model, node, attempt, request);
}

function SentView({ sent, call: { sentBytes, client } }: { sent: Sent | "unknown" | undefined; call: HttpCall }) {
  if (sent === undefined) return <Skeleton rows={1} />;
  if (sent === "unknown")
    return (
      <p className="text-sm text-muted">
        Curlew reads headers and body from the command, and can't tell which part of it made this call.
        {sentBytes ? ` It sent ${size(sentBytes)}.` : ""}
      </p>
    );
  const { headers, body } = sent;
  return (
    <>
      {body.map(({ option, text, unknown }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a body never move.
        <Body key={index} title={`Body · ${option}`}>
          {text === undefined ? <p className="text-sm text-muted">{visible(unknown ?? "")}</p> : <Text text={text} />}
        </Body>
      ))}
      {body.length === 0 && (
        <p className="text-sm text-muted">{sentBytes ? `${size(sentBytes)} were sent.` : "No body"}</p>
      )}
      <HeaderTable headers={headers} />
      <p className="text-sm text-muted">
        {headers.length === 0 ? "The command sets no headers. " : ""}
        {client === "curl" ? "curl adds its own, such as Host and User-Agent." : ""}
      </p>
    </>
  );
}

function Body({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h4 className="text-sm text-muted">{title}</h4>
      {children}
    </div>
  );
}

const TEXT_SHOWN = 50_000;

function Text({ text }: { text: string }) {
  const start = text.slice(0, TEXT_SHOWN);
  const left = text.length - start.length;
  return (
    <Code label="Body of the request" tall>
      {visible(jsonOf(text) === undefined ? start : prettyJson(start))}
      {left > 0 && `… ${count(left, "more character")}`}
    </Code>
  );
}

function ReceivedView({ run, node, attempt, at }: { run: string; node: NodeView; attempt: AttemptView; at: number }) {
  const body = bodyAt(attempt, at);
  const from = stdoutPath(run, node.path, attempt.number);
  const { data } = usePart(body === "stdout" ? from : undefined, attempt.endedAt);
  if (body !== "stdout")
    return (
      <Body title="Body">
        <p className="text-sm text-muted">{body.unknown}</p>
      </Body>
    );
  return (
    <Body title="Body">
      <div className="h-72 overflow-hidden rounded-md border border-line">
        {data && (
          <ValueBody part={data} label="Body of the response" onSave={() => savePart(from, `${node.id}-response`)} />
        )}
      </div>
    </Body>
  );
}

const COLOURS: Record<Phase["name"], string> = {
  ...{ DNS: "bg-queued", Connect: "bg-cancelled", TLS: "bg-waiting", Wait: "bg-running", Download: "bg-succeeded" },
};

function Timings({ call }: { call: HttpCall }) {
  const phases = phasesOf(call);
  if (phases.length < 2) return null;
  return (
    <div className="flex max-w-3xl flex-col gap-1.5">
      <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-sm">
        {phases.map(({ name, ms }) => (
          <span key={name} style={{ flexGrow: ms }} className={`min-w-0.5 ${COLOURS[name]}`} />
        ))}
      </div>
      <dl aria-label="Timings" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {phases.map(({ name, ms }) => (
          <div key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${COLOURS[name]}`} />
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{ms < 1 ? "under 1 ms" : duration(ms)}</dd>
          </div>
        ))}
        <div className="flex items-center gap-1.5">
          <dt className="text-muted">Total</dt>
          <dd className="tabular-nums">{duration(call.durationMs)}</dd>
        </div>
      </dl>
    </div>
  );
}

function factsOf({ sentBytes, receivedBytes, retries, redirects, finalUrl, client }: HttpCall): string[] {
  const to = finalUrl === undefined ? "" : ` to ${visible(finalUrl)}`;
  return [
    sentBytes ? `sent ${size(sentBytes)}` : "",
    receivedBytes ? `got ${size(receivedBytes)}` : "",
    retries === null ? "retries not counted" : retries ? count(retries, "retry", "retries") : "",
    redirects ? `${count(redirects, "redirect")}${to}` : "",
    client === undefined ? "" : `by ${client}`,
  ].filter((fact) => fact !== "");
}
