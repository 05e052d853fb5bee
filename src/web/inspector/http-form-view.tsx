// HttpFormView: a form for a command that is one curl call: method, URL, query, headers, and body (http-form.ts). For
// any other command it says why there is no form.
//   V1. Changes are made one after the other. Each reads the text and the id that the node has then, so that none is
//       lost when an earlier one gives the node another id.

import { X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { isInspected } from "../../shell/safety/index.ts";
import { CodeField } from "../code/code-field.tsx";
import { retitle } from "../document/rename.ts";
import { REQUEST_TITLE } from "../kinds.ts";
import { focusSoon } from "../ui/focus.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { loaded } from "../ui/lazily.ts";
import { onItsWay } from "../ui/on-their-way.ts";
import { type PanelContext, type ShownNode, useGrounds, usePanel } from "./context.ts";
import { useDraft } from "./draft.ts";
import { setFields, setValue } from "./edits.ts";
import { AddName, DraftInput, Select } from "./fields/controls.tsx";
import { Frame } from "./fields/frame.tsx";
import { AuthField } from "./fields/sign-in.tsx";
import { fieldOf } from "./form.ts";
import {
  type Body,
  type BodyKind,
  type HttpCall,
  type HttpForm,
  type Row,
  readHttp,
  titleOfRequest,
  withBodyKind,
  withBodyText,
  withFormRow,
  withHeader,
  withMethod,
  withQuery,
  withUrl,
} from "./http-form.ts";

type Step = (call: HttpCall, panel: PanelContext & { node: ShownNode }) => string;
type OnStep = (step: Step) => void;

export function HttpFormView() {
  const { node } = usePanel();
  const content = node?.data.content;
  const [read, setRead] = useState<{ key?: string; found: Awaited<ReturnType<typeof readHttp>> }>();
  const isRead = typeof content === "string" && isInspected({ ...node?.effective, content });
  const onStep = useSteps(isRead ? content : "");
  useEffect(() => {
    let current = true;
    if (isRead) void loaded(() => readHttp(content)).then((found) => current && setRead({ key: node?.key, found }));
    return () => {
      current = false;
    };
  }, [content, isRead, node?.key]);
  if (!isRead || read?.found === undefined || read.key !== node?.key) return null;
  const { found } = read;
  if ("unfit" in found)
    return (
      <p className="text-sm text-muted">
        The request form shows a single curl call. There is no form here because {found.unfit}.
      </p>
    );
  return <Form call={found} onStep={onStep} />;
}

/** V1. */
function useSteps(content: string): OnStep {
  const panel = usePanel();
  const latest = useRef({ content, panel });
  const before = useRef<Promise<unknown>>(Promise.resolve());
  latest.current = { content, panel };
  return (step) => {
    before.current = before.current.then(async () => {
      await rendered();
      const call = await readHttp(latest.current.content);
      const { node, ...rest } = latest.current.panel;
      if (node === undefined || call === undefined || "unfit" in call) return;
      const next = step(call, { ...rest, node });
      if (next === latest.current.content) return;
      latest.current.content = next;
      rest.onEdit(setValue(node.id, ["content"], next));
    });
    onItsWay(before.current);
  };
}

/** React renders an edit in a microtask after it. */
const rendered = () => new Promise((resolve) => setTimeout(resolve));

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

function Form({ call: { form }, onStep }: { call: HttpCall; onStep: OnStep }) {
  const { method, url, query, headers } = form;
  const entitling = useEntitling();
  const methods = METHODS.includes(method) ? METHODS : [method, ...METHODS];
  return (
    <section aria-label="Request" className="flex flex-col gap-3.5">
      <Frame label="Request" findings={[]} labelled>
        {() => (
          // biome-ignore lint/a11y/noStaticElementInteractions: it only learns when its fields are used and left.
          <div
            className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-1.5"
            onFocus={() => entitling.begin(form)}
            onBlur={() => setTimeout(() => onStep(entitling.step))}
            onKeyDown={({ key, ctrlKey, metaKey }) => {
              if (key === "Enter" && (ctrlKey || metaKey)) onStep(entitling.step);
            }}
          >
            <Select
              label="Method"
              value={method}
              options={methods.map((one) => [one, one === "" ? "$…" : one])}
              onChange={(next) => onStep((call) => withMethod(call, next))}
            />
            <div data-part="url">
              <TextField
                label="URL"
                value={url.text}
                fixed={url.fixed}
                onText={(text) => onStep((call) => withUrl(call, text.trim()))}
              />
            </div>
          </div>
        )}
      </Frame>
      <Rows noun="Parameter" title="Query" rows={query} fixed={url.fixed} {...{ onStep }} write={withQuery} />
      <Rows noun="Header" title="Headers" rows={headers} {...{ onStep }} write={withHeader} />
      <AuthField spec={{ ...fieldOf("cli", "auth"), help: "" }} />
      <BodyPart body={form.body} onStep={onStep} />
    </section>
  );
}

/**
 * The title follows a changed method and URL when the user leaves or runs them. Any change of the title that the form
 * did not make is the user's choice, even if Undo brings back a title of the form.
 */
function useEntitling() {
  const title = usePanel().node?.data.title;
  const given = useRef<{ request: string | undefined; title: unknown }>(undefined);
  useLayoutEffect(() => {
    if (given.current !== undefined && given.current.title !== title) given.current.title = undefined;
  }, [title]);
  return {
    begin(form: HttpForm): void {
      const request = titleOfRequest(form);
      given.current ??= { request, title: title === REQUEST_TITLE || title === request ? title : undefined };
    },
    step: (({ content, form }, { node, onEdit, last }) => {
      const request = titleOfRequest(form);
      const { current: before } = given;
      if (before === undefined || request === undefined || request === before.request) return content;
      const isOurs = before.title !== undefined && node.data.title === before.title;
      given.current = { request, title: isOurs ? request : undefined };
      if (isOurs) onEdit(retitle(node.id, request, last.attempt(node.id) !== undefined));
      return content;
    }) satisfies Step,
  };
}

interface TextFieldProps {
  label: string;
  value: string;
  fixed: boolean;
  lines?: number;
  onText: (text: string) => void;
}

const OWN = { own: true } as const;

function TextField({ label, value, fixed, lines, onText }: TextFieldProps) {
  const { node } = usePanel();
  const grounds = useGrounds(OWN, "template", true);
  return (
    <CodeField
      key={`${node?.key} ${fixed}`}
      {...{ label, value, grounds, lines }}
      language="text"
      singleLine={lines === undefined}
      readOnly={fixed}
      onChange={onText}
    />
  );
}

interface RowsProps {
  title: string;
  noun: string;
  rows: readonly Row[];
  fixed?: boolean;
  onStep: OnStep;
  write: (call: HttpCall, at: number, row: Pick<Row, "name" | "value"> | undefined) => string;
}

const HEADERS =
  "Accept Authorization Cache-Control Content-Type Cookie Idempotency-Key If-Match If-None-Match Prefer User-Agent X-Api-Key".split(
    " ",
  );

/** Rows of names and values. They are folded away until there is one. */
function Rows({ title, noun, rows, fixed, onStep, write }: RowsProps) {
  const part = `http-${title.toLowerCase()}`;
  return (
    <details open={rows.length > 0} data-part={part}>
      <summary className="min-h-6 cursor-pointer text-sm font-medium">
        {title} {rows.length > 0 && <span className="text-muted">{rows.length}</span>}
      </summary>
      <div className="mt-1 flex flex-col gap-1.5">
        {rows.map((row, at) => (
          <RowView
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the command.
            key={at}
            {...{ row, noun }}
            onRow={(next) => onStep((call) => write(call, at, next))}
          />
        ))}
        {!fixed && (
          <AddName
            label={`Name of a new ${noun.toLowerCase()}`}
            placeholder="name"
            taken={[]}
            offered={noun === "Header" ? HEADERS : []}
            onAdd={(name) => {
              onStep((call) => write(call, rows.length, { name, value: "" }));
              const nth = rows.length + 1;
              focusSoon(() =>
                document.querySelector<HTMLElement>(
                  `[data-part=${part}] [data-part=row]:nth-child(${nth}) [contenteditable=true]`,
                ),
              );
            }}
          />
        )}
      </div>
    </details>
  );
}

interface RowViewProps {
  row: Row;
  noun: string;
  onRow: (row: Pick<Row, "name" | "value"> | undefined) => void;
}

function RowView({ row: { name, value, fixed }, noun, onRow }: RowViewProps) {
  const draft = useDraft(name, (typed) => typed.trim() !== "" && onRow({ name: typed.trim(), value }));
  return (
    <div data-part="row" className="grid grid-cols-[minmax(72px,2fr)_minmax(0,3fr)_auto] items-start gap-1.5">
      <DraftInput label={`${noun} name`} draft={draft} disabled={fixed} />
      <TextField
        label={`Value of ${name}`}
        value={value}
        fixed={fixed}
        onText={(text) => onRow({ name, value: text })}
      />
      <IconButton label={`Remove ${name}`} icon={<X size={14} aria-hidden="true" />} onClick={() => onRow(undefined)} />
    </div>
  );
}

const KINDS: Record<BodyKind, string> = {
  none: "None",
  json: "JSON",
  form: "Form, URL-encoded",
  multipart: "Form with files",
  raw: "Raw text",
  stdin: "From standard input",
  other: "Other, see the command",
};

function BodyPart({ body, onStep }: { body: Body; onStep: OnStep }) {
  const kinds = (Object.keys(KINDS) as BodyKind[]).filter((kind) => kind !== "other" || body.kind === "other");
  const onKind = (kind: string): void => {
    // A body that is only a parent's value comes from there.
    const parent = "text" in body ? /^\$\{([1-9][0-9]*)\}$/.exec(body.text)?.[1] : undefined;
    onStep((call, { node, onEdit }) => {
      const content = withBodyKind(call, kind as BodyKind);
      if (kind !== "stdin" || parent === undefined || node.data.stdin !== undefined) return content;
      const stdin = { source: "parent-index", parentIndex: Number(parent) - 1 };
      onEdit(setFields(node.id, { content, stdin }, "Move the body to standard input"));
      return call.content;
    });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Frame label="Body" findings={[]}>
        {(described) => (
          <Select
            described={described}
            value={body.kind}
            options={kinds.map((kind) => [kind, KINDS[kind]])}
            onChange={onKind}
          />
        )}
      </Frame>
      {"text" in body && (
        <TextField
          label={`${KINDS[body.kind]} body`}
          value={body.text}
          fixed={body.fixed}
          lines={3}
          onText={(text) => onStep((call) => withBodyText(call, text))}
        />
      )}
      {"rows" in body && <Rows noun="Field" title="Fields" rows={body.rows} onStep={onStep} write={withFormRow} />}
      {body.kind === "stdin" && <p className="text-xs text-muted">Choose what it reads in the tab Input.</p>}
    </div>
  );
}
