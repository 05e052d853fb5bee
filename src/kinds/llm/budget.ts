// budget: how much a node may still spend, before, during, and after a request (spec 1.2 `budget`). Pure.
//   B1. A budget counts everything that the node has requested and received in this run, including retries and repaired
//       answers.
//   B2. If a server reports no usage, it is estimated low: four bytes per token. Only a request that certainly exceeds
//       the budget is rejected in advance.

import type { Failure } from "../../base/failure.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Price } from "../../secrets/config.ts";
import { noPrice, overBudget } from "./failures.ts";

const BYTES_PER_TOKEN = 4;
const MILLION = 1_000_000;

export interface Spent {
  tokens: number;
  usd: number;
}

export interface Budget {
  tokens?: number;
  usd?: number;
}

export function estimateTokens(text: string): number {
  return tokensOf(Buffer.byteLength(text));
}

export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function costOf(tokensIn: number, tokensOut: number, price: Price | undefined): number | undefined {
  return price === undefined ? undefined : (tokensIn * price.input + tokensOut * price.output) / MILLION;
}

/**
 * The maximum number of tokens of an answer. Undefined: no limit. Failures: `llm-budget-exceeded`, `llm-price-unknown`.
 */
export function room(
  budget: Budget | undefined,
  spent: Spent,
  tokensIn: number,
  model: { name: string; price: Price | undefined },
): Result<number | undefined, Failure> {
  const rooms: number[] = [];
  if (budget?.tokens !== undefined) {
    const left = budget.tokens - spent.tokens - tokensIn;
    if (left < 1)
      return err(
        overBudget(`about ${tokensIn} tokens to send, ${spent.tokens} of ${budget.tokens} already used`, false),
      );
    rooms.push(left);
  }
  if (budget?.usd !== undefined) {
    if (model.price === undefined) return err(noPrice(model.name));
    const left = budget.usd - spent.usd - (tokensIn * model.price.input) / MILLION;
    const most = model.price.output === 0 ? Number.MAX_SAFE_INTEGER : Math.floor((left * MILLION) / model.price.output);
    if (left < 0 || most < 1)
      return err(
        overBudget(
          `about ${tokensIn} tokens to send, $${money(spent.usd)} of $${money(budget.usd)} already used`,
          false,
        ),
      );
    rooms.push(most);
  }
  return ok(rooms.length === 0 ? undefined : Math.min(...rooms));
}

/** The failure if the budget is exceeded. */
export function exceeded(budget: Budget | undefined, spent: Spent): Failure | undefined {
  if (budget?.tokens !== undefined && spent.tokens > budget.tokens)
    return overBudget(`${spent.tokens} tokens used, ${budget.tokens} allowed`, true);
  if (budget?.usd !== undefined && spent.usd > budget.usd)
    return overBudget(`$${money(spent.usd)} used, $${money(budget.usd)} allowed`, true);
  return undefined;
}

function money(usd: number): string {
  return usd.toFixed(6).replace(/0{1,4}$/, "");
}
