// tiny-model: the language model of 0.8 MB (tools/tiny-llm tells how it was made), read from its GGUF file and run by
// plain arithmetic. It is so small that no package is needed: 400,416 numbers, a tenth of a second for an answer.
//   T1. The most likely token is taken each time: the same question has the same answer.
//   T2. It stops at the end of a line, at its end token, or when CONTEXT_TOKENS or `max` is reached.
//   T3. Between two tokens the event loop gets its turn.
// Deliberately absent: temperature, grammars, other architectures; tools/tiny-llm/serve.mjs has them, through
// llama.cpp. Sources: the GGUF specification (ggml), the llama architecture as train.py trains it.

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { beside } from "./beside.ts";
import { type Gguf, readGguf, type Tensor } from "./gguf.ts";

/** As many as it was trained on. */
export const CONTEXT_TOKENS = 128;

export interface Said {
  finish: "stop" | "length";
  tokensOut: number;
}

export class TinyModel {
  private readonly file: Gguf;
  private readonly layers: Layer[];
  private readonly tokens: string[];
  private readonly numbers: Map<string, number>;
  private readonly shape: Shape;

  constructor(file: Gguf = readGguf(readFileSync(beside("tiny-http.gguf")))) {
    this.file = file;
    const width = file.number("llama.embedding_length");
    const heads = file.number("llama.attention.head_count");
    this.shape = { width, heads, each: width / heads, epsilon: file.number("llama.attention.layer_norm_rms_epsilon") };
    this.layers = Array.from({ length: file.number("llama.block_count") }, (_, index) => layerOf(file, index));
    this.tokens = file.texts("tokenizer.ggml.tokens");
    this.numbers = new Map(this.tokens.map((token, number) => [token, number]));
  }

  /** One token per character that it knows, one per byte for others. */
  encode(text: string): number[] {
    const characters = [...text.replaceAll(" ", "▁")].flatMap((each) => {
      const known = this.numbers.get(each);
      return known === undefined
        ? [...Buffer.from(each)].map((byte) => this.numbers.get(byteToken(byte)) ?? 0)
        : [known];
    });
    return [this.file.number("tokenizer.ggml.bos_token_id"), ...characters];
  }

  /**
   * T1 to T3. `prompt` leaves room for an answer; `onText` gets it in pieces. Ends early, without an error, when
   * `ended`.
   */
  async answer(
    prompt: readonly number[],
    max: number,
    onText: (text: string) => void,
    ended?: AbortSignal,
  ): Promise<Said> {
    const end = this.file.number("tokenizer.ggml.eos_token_id");
    const memory: Memory = this.layers.map(() => ({ keys: [], values: [] }));
    let scores: Float32Array = new Float32Array();
    for (const token of prompt) scores = this.next(token, memory);
    for (let tokensOut = 0; ; tokensOut++) {
      const token = scores.reduce((best, score, at) => (score > scores[best]! ? at : best), 0);
      const text = this.textOf(token);
      if (token === end || text === "\n" || ended?.aborted === true) return { finish: "stop", tokensOut };
      if (tokensOut >= max || prompt.length + tokensOut >= CONTEXT_TOKENS) return { finish: "length", tokensOut };
      onText(text);
      await setImmediate();
      scores = this.next(token, memory);
    }
  }

  private textOf(token: number): string {
    const text = this.tokens[token] ?? "";
    const byte = /^<0x(..)>$/.exec(text)?.[1];
    return byte === undefined ? text.replaceAll("▁", " ") : String.fromCharCode(Number.parseInt(byte, 16));
  }

  /** How likely each token comes after this one, which the model remembers. */
  private next(token: number, memory: Memory): Float32Array {
    const { width, epsilon } = this.shape;
    const embedded = this.file.tensor("token_embd.weight").values;
    const state = embedded.slice(token * width, (token + 1) * width);
    for (const [index, layer] of this.layers.entries()) {
      add(state, this.attend(normal(state, layer.attentionNorm, epsilon), layer, memory[index]!));
      const told = normal(state, layer.feedNorm, epsilon);
      const gate = times(layer.gate, told);
      const up = times(layer.up, told);
      add(
        state,
        times(
          layer.down,
          gate.map((x, at) => (x / (1 + Math.exp(-x))) * up[at]!),
        ),
      );
    }
    return times(this.file.tensor("output.weight"), normal(state, this.file.tensor("output_norm.weight"), epsilon));
  }

  private attend(told: Float32Array, layer: Layer, { keys, values }: Memory[number]): Float32Array {
    const { width, heads, each } = this.shape;
    const at = keys.length;
    const query = turned(times(layer.query, told), at, each);
    keys.push(turned(times(layer.key, told), at, each));
    values.push(times(layer.value, told));
    const out = new Float32Array(width);
    for (let head = 0; head < heads; head++) {
      const from = head * each;
      const weights = softmax(keys.map((key) => dot(query, key, from, each) / Math.sqrt(each)));
      for (const [past, weight] of weights.entries())
        for (let i = from; i < from + each; i++) out[i]! += weight * values[past]![i]!;
    }
    return times(layer.out, out);
  }
}

interface Shape {
  width: number;
  heads: number;
  /** Width of a head. */
  each: number;
  epsilon: number;
}

type Memory = { keys: Float32Array[]; values: Float32Array[] }[];

type Layer = Record<"attentionNorm" | "query" | "key" | "value" | "out" | "feedNorm" | "gate" | "up" | "down", Tensor>;

function layerOf(file: Gguf, index: number): Layer {
  const of = (name: string): Tensor => file.tensor(`blk.${index}.${name}.weight`);
  return {
    ...{ attentionNorm: of("attn_norm"), query: of("attn_q"), key: of("attn_k"), value: of("attn_v") },
    ...{
      out: of("attn_output"),
      feedNorm: of("ffn_norm"),
      gate: of("ffn_gate"),
      up: of("ffn_up"),
      down: of("ffn_down"),
    },
  };
}

const byteToken = (byte: number): string => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;

function times({ values, columns }: Tensor, vector: Float32Array): Float32Array {
  const out = new Float32Array(values.length / columns);
  for (let row = 0; row < out.length; row++) {
    let sum = 0;
    for (let column = 0; column < columns; column++) sum += values[row * columns + column]! * vector[column]!;
    out[row] = sum;
  }
  return out;
}

function normal(vector: Float32Array, { values }: Tensor, epsilon: number): Float32Array {
  const mean = vector.reduce((sum, x) => sum + x * x, 0) / vector.length;
  return vector.map((x, at) => (x / Math.sqrt(mean + epsilon)) * values[at]!);
}

/** Rotary positions: each pair of a head is turned by its own angle. */
function turned(vector: Float32Array, position: number, each: number): Float32Array {
  const out = vector.slice();
  for (let at = 0; at < vector.length; at += 2) {
    const angle = position / 10_000 ** ((at % each) / each);
    const [a, b] = [vector[at]!, vector[at + 1]!];
    out[at] = a * Math.cos(angle) - b * Math.sin(angle);
    out[at + 1] = a * Math.sin(angle) + b * Math.cos(angle);
  }
  return out;
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const all = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / all);
}

function dot(a: Float32Array, b: Float32Array, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + count; at++) sum += a[at]! * b[at]!;
  return sum;
}

function add(to: Float32Array, more: Float32Array): void {
  for (const [at, value] of more.entries()) to[at]! += value;
}
