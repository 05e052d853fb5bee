// agreed: what a server that is nearly OpenAI's does not take, it is asked without, or by its other name (spec 1.2, "any OpenAI-compatible").
//   G1. Only after a refusal that names a setting of the request and says that it is not taken: nothing was done yet. Each setting once a
//       question, so that it ends. What is asked, how long it may take and what it may cost stay.
//   G2. Each is told, each time. What went well is remembered for that model as long as the process lives, or until it is refused.
//   G3. A value out of range, a prompt that is too long and every other refusal stay what they are.

type Body = Readonly<Record<string, unknown>>;
type Message = Readonly<{ role?: unknown; content?: unknown }>;

interface Way {
  /** As servers call it in `error.param`. */
  settings: readonly string[];
  /** In a server's words. */
  named: RegExp;
  /** To name it is to refuse it. */
  isSure?: true;
  /** The request without it, and what is told; undefined: it has nothing of it. */
  without(body: Body): [Body, string] | undefined;
}

const WAYS: readonly Way[] = [
  {
    settings: ["stream_options"],
    named: /stream_options/,
    isSure: true,
    without: ({ stream_options: wish, ...rest }) =>
      wish === undefined ? undefined : [rest, "stream_options: tokens may have to be estimated"],
  },
  { settings: ["max_tokens", "max_completion_tokens"], named: /max_(?:completion_)?tokens/, without: renamed },
  {
    settings: ["temperature"],
    named: /\btemperature\b/i,
    without: ({ temperature, ...rest }) =>
      temperature === undefined ? undefined : [rest, `temperature ${temperature}: it has its own`],
  },
  {
    settings: ["response_format"],
    named: /response[_ ]format|json_schema|structured[_ ]outputs?/i,
    without: inWords,
  },
  {
    settings: ["stream"],
    named: /\bstream(?:ing)?\b/i,
    without: ({ stream, stream_options: _, ...rest }) =>
      stream === true ? [{ ...rest, stream: false }, "stream: its answer comes at once"] : undefined,
  },
  {
    settings: ["messages"],
    named:
      /\b(?:system|developer)\b[^.]{0,40}\b(?:roles?|messages?|instructions?|prompts?)\b|\brole\b[^.]{0,20}\b(?:system|developer)\b/i,
    without: inPrompt,
  },
];

const REFUSES =
  /\bun(?:supported|recogni[sz]ed|known|expected|available)|forbidden|deprecated|\bnot (?:\w+ )?(?:support|permit|allow|implement|enable|available|accept|recogni[sz]e)|n't (?:support|allow|accept)|\bonly (?:supports?|the default)\b|cannot find field|no such (?:field|param|arg)/i;
/** G3. */
const OUT_OF_RANGE =
  /\b(?:between|less than|greater than|at (?:most|least)|m(?:ax|in)imum|range|too (?:large|small|long|high))\b/i;

/** By address and model: the ways that it was asked in when it answered. */
const known = new Map<string, ReadonlySet<Way>>();

/** How one question is put to one model: the request's body, changed where its server wants it so. */
export class Agreement {
  private readonly of: string;
  private readonly tell: (words: string) => void;
  private readonly taken = new Set<Way>();

  /** `tell` gets a sentence without a name at its front, for each change. */
  constructor(of: string, tell: (words: string) => void) {
    this.of = of;
    this.tell = tell;
  }

  /** G2. The first request of a question. */
  begin(body: string): string {
    let asked = body;
    for (const way of known.get(this.of) ?? []) asked = this.changed(way, asked) ?? asked;
    return asked;
  }

  /** What to ask in its place after a refusal; undefined: it stands. */
  after(status: number, said: string, body: string): string | undefined {
    if (![400, 422, 501].includes(status)) return undefined;
    const param = paramIn(said);
    for (const way of WAYS) {
      const isMeant = param === undefined ? way.named.test(said) : way.settings.includes(param);
      if (!isMeant || this.taken.has(way) || !(way.isSure || isRefused(way, said))) continue;
      const changed = this.changed(way, body);
      if (changed !== undefined) return changed;
    }
    known.delete(this.of);
    return undefined;
  }

  answered(): void {
    if (this.taken.size > 0) known.set(this.of, new Set(this.taken));
  }

  private changed(way: Way, body: string): string | undefined {
    const changed = way.without(JSON.parse(body));
    if (changed === undefined) return undefined;
    this.taken.add(way);
    this.tell(changed[1]);
    return JSON.stringify(changed[0]);
  }
}

function isRefused({ settings }: Way, said: string): boolean {
  const isBoth = settings.length > 1 && settings.every((name) => said.includes(name));
  const isNumber = settings.includes("temperature") || settings.includes("max_tokens");
  return (isBoth || REFUSES.test(said)) && !(isNumber && OUT_OF_RANGE.test(said));
}

/** `response_format` of `response_format.type`. */
function paramIn(said: string): string | undefined {
  try {
    const { error } = JSON.parse(said);
    return typeof error?.param === "string" && error.param !== "" ? error.param.split(/[.[]/)[0] : undefined;
  } catch {
    return undefined;
  }
}

function renamed({ max_tokens: old, max_completion_tokens: other, ...rest }: Body): [Body, string] | undefined {
  if (old !== undefined)
    return [{ ...rest, max_completion_tokens: old }, "max_tokens: max_completion_tokens says the same"];
  return other === undefined
    ? undefined
    : [{ ...rest, max_tokens: other }, "max_completion_tokens: max_tokens says the same"];
}

/** A schema goes into the words of the first message; the answer is checked here all the same. */
function inWords({ response_format: format, messages, ...rest }: Body): [Body, string] | undefined {
  const { schema } = (format as { json_schema?: { schema?: object } } | undefined)?.json_schema ?? {};
  const [first, ...others] = (Array.isArray(messages) ? messages : []) as Message[];
  if (schema === undefined || typeof first?.content !== "string") return undefined;
  const told = { ...first, content: schemaInWords(first.content, schema) };
  return [{ ...rest, messages: [told, ...others] }, "response_format: the schema is told in words"];
}

export function schemaInWords(system: string, schema: object): string {
  return `${system}\n\nAnswer with nothing but JSON that satisfies this JSON Schema:\n${JSON.stringify(schema)}`.trim();
}

/** What stands above the talk begins it. */
function inPrompt({ messages, ...rest }: Body): [Body, string] | undefined {
  const [first, second, ...others] = (Array.isArray(messages) ? messages : []) as Message[];
  const isAbove = first?.role === "system" || first?.role === "developer";
  if (!isAbove || typeof first.content !== "string" || typeof second?.content !== "string") return undefined;
  const begin = { ...second, content: `${first.content}\n\n${second.content}` };
  return [{ ...rest, messages: [begin, ...others] }, `messages of the role ${first.role}: they begin the prompt`];
}
