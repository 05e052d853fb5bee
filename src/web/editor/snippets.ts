// snippets: pieces of workflows that a person keeps, as YAML text (spec ui.md 6.2; ADR 69).
//   N1. They stand in this browser, for every workflow of this address; other tabs see them at once.
// Deliberately absent: values of secrets. A piece holds what the file says, which is names.

import { create } from "zustand";

export interface Snippet {
  name: string;
  text: string;
}

const KEY = "curlew.snippets";

export const useSnippets = create<{ list: readonly Snippet[] }>(() => ({ list: kept() }));

/** Takes the place of one that has the name. False: the browser has no room, or keeps nothing. */
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

/** What others have written there is not trusted to be ours. */
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
