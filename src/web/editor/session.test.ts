// An open document: edits made here, edits made elsewhere, and the user's choices when both change the same lines.

import { describe, expect, it } from "vitest";
import { setField } from "../document/index.ts";
import { isUnsaved, Session } from "./session.ts";

const TEXT = `curlew: 1
nodes:
  - id: a
    type: text
    data:
      title: A
      content: one
  - id: b
    type: text
    data:
      title: B
      content: two
`;

function opened() {
  let now = 0;
  const session = new Session("a.flow.yaml", { text: TEXT, etag: '"1"' }, () => (now += 5_000));
  return { session, text: () => session.store.getState().doc.text, state: session.store.getState };
}

describe("a session", () => {
  it("keeps both sides' edits of different lines, and undoes only one's own", () => {
    const { session, text, state } = opened();
    expect(session.edit(setField("a", ["content"], "mine"))).toBeUndefined();
    session.arrived({ text: TEXT.replace("two", "theirs"), etag: '"2"' });
    expect(text()).toBe(TEXT.replace("one", "mine").replace("two", "theirs"));
    expect(state().base.etag).toBe('"2"');
    expect(isUnsaved(state())).toBe(true);
    session.undo();
    expect(text()).toBe(TEXT.replace("two", "theirs"));
    session.redo();
    expect(text()).toBe(TEXT.replace("one", "mine").replace("two", "theirs"));
  });

  it("asks where both changed the same line, and loses neither text", () => {
    const { session, text, state } = opened();
    session.edit(setField("a", ["content"], "mine"));
    session.arrived({ text: TEXT.replace("one", "theirs").replace("two", "also theirs"), etag: '"2"' });
    expect(text()).toBe(TEXT.replace("one", "mine"));
    expect(state().clash?.conflicts).toMatchObject([
      { ours: "      content: mine\n", theirs: "      content: theirs\n" },
    ]);
    session.settle(TEXT.replace("one", "mine").replace("two", "also theirs"));
    expect(state().clash).toBeUndefined();
    expect(state().base.etag).toBe('"2"');
    // Undo takes back the user's own edit, the last change that is not theirs.
    session.undo();
    expect(text()).toBe(TEXT.replace("two", "also theirs"));
  });

  it("takes a choice back, and leaves what the others changed elsewhere in the file", () => {
    const { session, text } = opened();
    session.edit(setField("a", ["content"], "mine"));
    const theirs = TEXT.replace("one", "theirs").replace("two", "also theirs");
    session.arrived({ text: theirs, etag: '"2"' });
    session.settle(theirs);
    session.undo();
    expect(text()).toBe(TEXT.replace("one", "mine").replace("two", "also theirs"));
    session.redo();
    expect(text()).toBe(theirs);
  });

  it("shows the last readable document while the source is half written", () => {
    const { session, state } = opened();
    session.type([{ from: 0, to: 0, insert: "a: [" }]);
    expect(state().doc.plain).toBeUndefined();
    expect(state().readable.text).toBe(TEXT);
    expect(session.edit(setField("a", ["content"], "x"))).toContain("cannot be read");
    session.undo();
    expect(state().readable.text).toBe(TEXT);
    expect(state().doc.text).toBe(TEXT);
  });
});
