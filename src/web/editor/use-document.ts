// useDocument: an open document for React: loaded from the server, saved, checked, and drawn.

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { at } from "../../api/address.ts";
import type { WorkflowDocument } from "../../api/shapes.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { usePlace } from "../app/place.ts";
import { ask, askRaw } from "../client/api.ts";
import { onMessage } from "../client/stream.ts";
import { findingsOf } from "../code/places.ts";
import { type History, rootOf } from "../document/index.ts";
import { moveDocument } from "../home/create.ts";
import { arrived } from "../ui/on-their-way.ts";
import { toast } from "../ui/toast.tsx";
import { drawer } from "./drawn.ts";
import { type Badges, badgesOf, nodeOfFinding } from "./read.ts";
import { Saver } from "./saver.ts";
import { Session } from "./session.ts";
import { startValidator } from "./validator.ts";

export interface Loaded {
  session: Session;
  first: { path: string; text: string };
}

/** `undefined` while loading, or the error if loading failed. */
export function useLoaded(path: string): Loaded | { error: unknown } | undefined {
  const [loaded, setLoaded] = useState<(Loaded | { error: unknown }) & { path: string }>();
  useEffect(() => {
    const own = new AbortController();
    let isMissing = false;
    const read = () =>
      fetchDocument(path, own.signal).then(
        ({ text, etag }) => {
          isMissing = false;
          const session = new Session(path, { text, etag }, Date.now);
          // The text that this tab kept can be older than the file.
          session.arrived({ text, etag });
          setLoaded({ session, first: { path, text }, path });
        },
        (error: unknown) => {
          isMissing = true;
          if (!own.signal.aborted) setLoaded({ error, path });
        },
      );
    void read();
    // The server or the file is back.
    const leave = onMessage((message) => {
      if (isMissing && (message.kind === "live" || (message.kind === "document" && message.path === path))) void read();
    });
    return () => {
      own.abort();
      leave();
    };
  }, [path]);
  return loaded?.path === path ? loaded : undefined;
}

/** Requests the text alone. Diagnostics of a large file take longer, and the drawing does not wait for them. */
async function fetchDocument(path: string, signal: AbortSignal): Promise<{ text: string; etag: string }> {
  const answer = await askRaw(at("workflows", path), { signal, headers: { accept: "text/plain" } });
  return { text: await answer.text(), etag: answer.headers.get("etag") ?? "" };
}

export interface Found {
  text: string;
  list: readonly Diagnostic[];
}

const NONE: readonly Diagnostic[] = [];

/** Whether the last change was typed in the text. */
const wasTyped = ({ done, undone }: History): boolean => undone.length === 0 && done.at(-1)?.key === "source";

export function useDocument({ session, first }: Loaded) {
  const state = useStore(session.store);
  const [found, setFound] = useState<Found>({ text: first.text, list: NONE });
  const validator = useRef<ReturnType<typeof startValidator>>(undefined);
  const saver = useRef<Saver>(undefined);

  useEffect(() => {
    const checks = startValidator(first.path, (text, list) =>
      // The canvas itself shows that there are no nodes.
      setFound({ text, list: list.filter(({ code }) => code !== "no-nodes") }),
    );
    validator.current = checks;
    checks.check(session.store.getState().doc.text);
    const own = new AbortController();
    ask<WorkflowDocument>(at("workflows", first.path), { signal: own.signal }).then(
      ({ text, diagnostics }) => checks.told(text, diagnostics),
      // If the server does not respond, the worker's findings stay.
      () => undefined,
    );
    const keeper = new Saver(session, {
      onState: (saved) => {
        const before = usePlace.getState().saved?.problem;
        usePlace.setState({ saved });
        if (saved.problem !== undefined && saved.problem !== before) toast(`Not saved: ${saved.problem}`);
      },
      onDiagnostics: (text, list) => checks.told(text, list),
    });
    saver.current = keeper;
    return () => {
      own.abort();
      keeper.end();
      checks.end();
      usePlace.setState({ saved: undefined });
    };
  }, [session, first]);
  useEffect(() => validator.current?.check(state.doc.text), [state.doc]);
  useEffect(() => {
    if (state.note !== undefined) toast(state.note.text);
  }, [state.note]);

  // Drawing 1,000 nodes can take a moment. Typing comes first.
  const readable = useDeferredValue(state.readable);
  const [draw] = useState(drawer);
  const model = useMemo(() => draw(readable, wasTyped(session.store.getState().history)), [draw, readable, session]);
  const findings = useMemo(
    () => (found.text === readable.text ? findingsOf(found.text, found.list, () => rootOf(readable)).all : undefined),
    [found, readable],
  );
  const badges = useRef<Badges>(new Map());
  badges.current = useMemo(() => {
    if (findings === undefined) return badges.current;
    return badgesOf(findings, (finding) => nodeOfFinding(readable, finding), badges.current);
  }, [findings, readable]);
  const save = useCallback(async () => {
    await arrived();
    await saver.current?.flush();
  }, []);
  /** Gives the file another name, before anything else knows it. Returns its new path. */
  const moveTo = useCallback(
    async (wanted: string): Promise<string> => {
      await saver.current?.flush();
      const { doc, base } = session.store.getState();
      const keeper = saver.current;
      if (keeper !== undefined) keeper.isPaused = true;
      try {
        const { path, etag } = await moveDocument(first.path, wanted, base.etag ?? "");
        session.moveTo(path, { text: doc.text, etag });
        return path;
      } catch (reason) {
        if (keeper !== undefined) keeper.isPaused = false;
        throw reason;
      }
    },
    [session, first],
  );
  const errors = found.list.filter(({ severity }) => severity === "error").length;
  return { state, model, found, errors, badges: badges.current, save, moveTo };
}
