// source: reads the value of a node, or what an attempt printed, up to a limit. The browser saves all of it.
//   S1. At most READ_BYTES_MAX bytes are read. The rest of a larger value stays on the server.

import { useQuery } from "@tanstack/react-query";
import { at } from "../../../api/address.ts";
import { askRaw } from "../../client/api.ts";
import { keys } from "../../client/queries.ts";

export const READ_BYTES_MAX = 4_000_000;

export interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  /** Nothing follows. */
  isWhole: boolean;
}

export function partOf(text: string): Part {
  return { bytes: new TextEncoder().encode(text), isWhole: true };
}

/** Below /runs/{id}: where the value of a node is. */
export function valuePath(run: string, path: string): string {
  return `${at("runs", run, "nodes", path)}/value`;
}

/** Where the stdout of an attempt is. */
export function stdoutPath(run: string, path: string, number: number): string {
  return `${at("runs", run, "nodes", path, "attempts", number)}/output`;
}

/** `version` changes when the bytes may have changed. Without a path, nothing is read. */
export function usePart(path: string | undefined, version: unknown) {
  return useQuery({
    queryKey: [...keys.run("part"), path, version],
    queryFn: ({ signal }) => readPart(path!, signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
}

/** S1. */
async function readPart(path: string, signal: AbortSignal): Promise<Part> {
  const isOutput = path.endsWith("/output");
  const query = isOutput ? { stream: "stdout", from: 0, limit: READ_BYTES_MAX } : undefined;
  const answer = await askRaw(path, { query, signal, headers: BYTES });
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > READ_BYTES_MAX) {
      await reader.cancel();
      break;
    }
  }
  const bytes = new Uint8Array(Math.min(length, READ_BYTES_MAX));
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - place), place);
    place += chunk.length;
  }
  return { bytes, isWhole: answer.status !== 206 && length <= READ_BYTES_MAX };
}

const BYTES = { accept: "application/octet-stream" };

/** Saves all of it as a file. The server never shows it as a page. */
export async function savePart(path: string, name: string): Promise<void> {
  const query = path.endsWith("/output") ? { stream: "stdout", download: 1 } : undefined;
  const answer = await askRaw(path, { query, headers: BYTES });
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
