// snippets: saved pieces of workflows, as YAML text (spec ui.md 6.2, ADR 69).
//   N1. Snippets are stored in this browser for all workflows of this origin. Other tabs see changes at once.
// A snippet never contains the value of a secret, only its name, because that is all a workflow file has.

import { create } from "zustand";

export interface Snippet {
  name: string;
  text: string;
}

const KEY = "curlew.snippets";

export const useSnippets = create<{ list: readonly Snippet[] }>(() => ({ list: kept() }));

/** Replaces a snippet with the same name. Returns false if the browser's storage is full or not available. */
export function keepSnippet(snippet: Snippet): boolean {
  return write([...kept().filter(({ name }) => name !== snippet.name), snippet]);
}

export function forgetSnippet(name: string): void {
  write(kept().filter((snippet) => snippet.name !== name));
}

function write(list: readonly Snippet[]): boolean {
  const sorted = list.toSorted((a, b) => a.name.localeCompare(b.name));
  try {
    localStorage.setItem(KEY, JSON.stringify(sorted));
  } catch {
    return false;
  }
  useSnippets.setState({ list: sorted });
  return true;
}

/** Other code can write to the same storage, so the value is checked. */
function kept(): Snippet[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter(isSnippet) : [];
  } catch {
    return [];
  }
}

function isSnippet(value: unknown): value is Snippet {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Snippet).name === "string" &&
    typeof (value as Snippet).text === "string"
  );
}

addEventListener("storage", ({ key }) => key === KEY && useSnippets.setState({ list: kept() }));
