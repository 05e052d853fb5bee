// ApprovalCard: one approval request with everything needed to decide (spec 3.5, ui 6.4).
//   D1. Approval applies to exactly what is shown: the request's id identifies it. If someone else was faster, the card
//       says so.
//   D2. A rejection needs a reason. An edit replaces the program as the author wrote it.
//   D3. A card that has just appeared cannot be approved yet, because the key press was meant for what was there
//       before.
//   D4. When several are answered together, each is answered even if another was answered elsewhere. The card counts
//       those that failed.

import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, PencilLine, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { at } from "../../api/address.ts";
import type { ApprovalItem } from "../../api/shapes.ts";
import { shortRunId } from "../../base/ids.ts";
import { visible } from "../../base/visible.ts";
import { useActions } from "../app/actions.ts";
import { ask } from "../client/api.ts";
import { keys, problemOf, queryClient, runQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Code, type Fact, FactList, Section } from "../ui/facts.tsx";
import { Failed } from "../ui/problem.tsx";
import { say, toast } from "../ui/toast.tsx";
import { ago, size } from "../ui/words.ts";
import { AnswerForm } from "./answer-form.tsx";
import { checksOf, commandPieces, expiryText, whyAsked, whyGone } from "./approval.ts";
import { ApprovalDiff } from "./approval-diff.tsx";
import { placeFacts } from "./attempt-facts.tsx";

/** The card that responds to keys. */
export interface AnswerKeys {
  approve: string;
  edit?: string;
  reject?: string;
}

export interface ApprovalCardProps {
  item: ApprovalItem;
  nowMs: number;
  /** Absent: another card responds to keys. */
  keys?: AnswerKeys | undefined;
  /** It was answered elsewhere or its run is over. It stays visible for the reader. */
  gone?: boolean;
  /** The user is typing an answer, so the card must stay until they finish. */
  onWriting?: (writes: boolean) => void;
  /** These requests are being answered from here, or that failed. */
  onAnswering?: (ids: readonly string[], not?: "failed" | "refused") => void;
  /** Requests with the same command that can be answered together, in the inbox only. */
  alike?: readonly ApprovalItem[];
  where?: ReactNode;
}

export function ApprovalCard(props: ApprovalCardProps) {
  const { item, nowMs, keys: own, gone = false, onWriting, alike = [], where } = props;
  const [writing, setWriting] = useState<"edit" | "reject">();
  const write = (what: "edit" | "reject" | undefined) => {
    setWriting(what);
    onWriting?.(what !== undefined);
  };
  const answer = useAnswer(props, () => write(undefined));
  const stands = useStands();
  const ids = [item, ...alike].map(({ id }) => id);
  const approve = () => {
    if (stands) answer.mutate({ kind: "grant", ids });
    else say("This request is new. Read it first, then approve.", "assertive");
  };
  const closed = own === undefined || writing !== undefined || answer.isPending || gone;
  useAnswerKeys(own, { approve, write, closed, isTogether: alike.length > 0 });
  const busy = answer.isPending || gone;
  const onCancel = () => write(undefined);
  return (
    <article aria-label={`Approve ${item.title}?`} className="flex flex-col gap-4 p-4">
      <Heading {...{ item, nowMs, where, gone }} />
      {writing === "edit" ? (
        <AnswerForm
          {...{ busy, onCancel }}
          label="The command that runs instead, this time only"
          first={item.detail.wholeProgram ? item.detail.rendered : item.detail.command}
          help="References such as ${1} get their values as before. The edit is kept in the run."
          submit="Approve the edit"
          onSubmit={(edited) => answer.mutate({ kind: "grant", edited, ids: [item.id] })}
        />
      ) : (
        <Section
          title={item.detail.model === undefined ? "Will run exactly this" : `Will send this to ${item.detail.model}`}
        >
          <Command item={item} />
        </Section>
      )}
      {writing === "reject" && (
        <AnswerForm
          {...{ busy, onCancel }}
          label={ids.length === 1 ? "Reason (kept in the run)" : "Reason (kept in each run)"}
          submit={ids.length === 1 ? "Reject" : `Reject all ${ids.length}`}
          onSubmit={(reason) => answer.mutate({ kind: "reject", reason, ids })}
        />
      )}
      {gone && <Gone item={item} />}
      {writing === undefined && !gone && (
        <Buttons
          {...{ approve, write, stands }}
          count={ids.length}
          busy={answer.isPending}
          hasKeys={own !== undefined}
        />
      )}
      {!gone && <Failed error={answer.error} />}
      <Checks item={item} />
      <Section title="Context">
        <FactList facts={contextOf(item)} />
      </Section>
      {item.detail.stdin !== undefined && (
        <Section title={`Standard input, ${size(item.detail.stdin.bytes)}`}>
          <Code label="Beginning of standard input">{visible(item.detail.stdin.preview)}</Code>
        </Section>
      )}
      <ApprovalDiff item={item} nowMs={nowMs} />
    </article>
  );
}

/** The id of a request begins with the run that asked, which may be a subflow of `item.run`. */
function Gone({ item }: { item: ApprovalItem }) {
  const { data: run, isPending } = useQuery(runQuery(item.id.split("-")[0] ?? item.run));
  return (
    <p role="status" className="rounded-md border border-line bg-sunken px-3 py-2">
      No longer waiting{isPending ? "." : `: ${whyGone(item, run)}`}
    </p>
  );
}

function Heading({ item, nowMs, where, gone }: Pick<ApprovalCardProps, "item" | "nowMs" | "where" | "gone">) {
  const expiry = gone ? undefined : expiryText(item, nowMs);
  return (
    <>
      <header className="pr-7">
        <h2 tabIndex={-1} data-focus-first="" className="text-lg font-semibold text-waiting">
          Approve “{item.title}”?
        </h2>
        <p className="text-muted">
          Asked {ago(item.requestedAt, nowMs)} · {where ?? item.workflow}
        </p>
        {expiry !== undefined && <p className="mt-1 tabular-nums text-waiting">Without an answer: {expiry}</p>}
      </header>
      {item.prompt !== undefined && (
        <p className="border-l-2 border-waiting pl-3 whitespace-pre-wrap">{visible(item.prompt)}</p>
      )}
      {item.again !== undefined && <p className="text-waiting">Asked again: {visible(item.again)}</p>}
    </>
  );
}

interface Doing {
  approve: () => void;
  write: (what: "edit" | "reject") => void;
}

interface ButtonsProps extends Doing {
  stands: boolean;
  count: number;
  busy: boolean;
  hasKeys: boolean;
}

function Buttons({ approve, write, stands, count, busy, hasKeys }: ButtonsProps) {
  return (
    <div className="@container">
      <div className="flex flex-wrap gap-2 @max-md:gap-1.5 max-sm:flex-col max-sm:[&>button]:h-11 sm:@max-md:[&_svg]:hidden">
        <Button
          className="@max-md:[&>span]:hidden bg-waiting! text-bg! border-transparent font-semibold"
          icon={<Check />}
          shortcut={hasKeys ? "Ctrl+Enter" : undefined}
          busy={busy}
          aria-disabled={!stands || undefined}
          onClick={approve}
        >
          {count > 1 ? `Approve all ${count}` : "Approve"}
        </Button>
        {count === 1 && (
          <Button icon={<PencilLine />} disabled={busy} onClick={() => write("edit")}>
            <span>
              Edit<span className="sm:@max-xs:sr-only"> and approve</span>
            </span>
          </Button>
        )}
        <Button icon={<X />} disabled={busy} onClick={() => write("reject")}>
          {count > 1 ? `Reject all ${count}…` : "Reject…"}
        </Button>
      </div>
    </div>
  );
}

function useAnswerKeys(keys: AnswerKeys | undefined, doing: Doing & { closed: boolean; isTogether: boolean }): void {
  const { approve, write, closed: disabled, isTogether } = doing;
  useActions("Approval", [
    { id: "approval.grant", title: "Approve what is shown", keys: keys?.approve ?? "", disabled, run: approve },
    {
      id: "approval.edit",
      title: "Edit and approve",
      keys: keys?.edit ?? "",
      disabled: disabled || isTogether,
      run: () => write("edit"),
    },
    { id: "approval.reject", title: "Reject…", keys: keys?.reject ?? "", disabled, run: () => write("reject") },
  ]);
}

type Answer = { kind: "grant"; edited?: string } | { kind: "reject"; reason: string };
type GivenAnswer = Answer & { ids: readonly string[] };

/** The user may be looking at something else when the response arrives, so it only shows messages. */
function useAnswer({ item, onAnswering }: ApprovalCardProps, onAccepted: () => void) {
  return useMutation({
    mutationFn: answerAll,
    onMutate: ({ ids }) => onAnswering?.(ids),
    onSuccess: (refused, { kind, ids }) => {
      onAccepted();
      onAnswering?.(refused, "refused");
      const what = ids.length === 1 ? item.title : `${ids.length - refused.length} of ${ids.length}`;
      const rest = refused.length === 0 ? "" : `. No longer waiting as shown: ${refused.length}`;
      toast(`${kind === "grant" ? "Approved" : "Rejected"}: ${what}${rest}`);
    },
    onError: (reason, { ids }) => {
      onAnswering?.(ids, "failed");
      say(problemOf(reason).title, "assertive");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.approvals }),
  });
}

/** D4. Returns the ids whose answer the server did not accept. If it accepted none, throws the first error. */
async function answerAll({ ids, ...given }: GivenAnswer): Promise<string[]> {
  const refused: { id: string; reason: unknown }[] = [];
  const body = given.kind === "reject" ? { reason: given.reason } : { edited: given.edited };
  for (const id of ids)
    await ask<void>(at("approvals", id, given.kind), { method: "POST", body }).catch((reason) =>
      refused.push({ id, reason }),
    );
  if (refused.length === ids.length) throw refused[0]!.reason;
  return refused.map(({ id }) => id);
}

const JUST_MS = 400;

/** D3. */
function useStands(): boolean {
  const [stands, setStands] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStands(true), JUST_MS);
    return () => clearTimeout(timer);
  }, []);
  return stands;
}

function Command({ item }: { item: ApprovalItem }) {
  return (
    <Code label="The command, with its values" tall>
      {commandPieces(item.detail).map(({ text, value, secret }, index) =>
        value === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one command never move.
          <span key={index}>{text}</span>
        ) : (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one command never move.
            key={index}
            title={secret ? `${value}, a secret` : value}
            className="rounded-sm bg-waiting/25 px-0.5 font-semibold text-text underline decoration-waiting"
          >
            {text}
          </mark>
        ),
      )}
    </Code>
  );
}

function Checks({ item }: { item: ApprovalItem }) {
  const checks = checksOf(item);
  return (
    <Section title="Why approval is needed">
      <ul className="flex flex-col gap-1">
        {whyAsked(item).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {checks.map(({ level, text }) => (
          <li key={text} className={`flex gap-2 ${level === "warning" ? "text-waiting" : "text-muted"}`}>
            {level === "warning" ? (
              <TriangleAlert aria-label="Warning" className="mt-0.5 shrink-0" />
            ) : (
              <Check className="mt-0.5 shrink-0" />
            )}
            <span className="min-w-0 break-words">{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function contextOf({ detail, path, run }: ApprovalItem): Fact[] {
  return [
    ["Node", <code key="path">{path}</code>],
    ["Run", <code key="run">{shortRunId(run)}</code>],
    ...placeFacts({ ...detail, sandbox: detail.sandbox ?? "none" }),
    ["Network", detail.egress],
    ["At most", detail.timeout],
  ];
}
