// written: waits until the file has what stands here. A run reads the file.

import { Refusal } from "../client/api.ts";
import { isUnsaved, type Session } from "./session.ts";

const waitMostMs = 10_000;

/** Fails with words for a person. */
export function written({ store }: Session): Promise<void> {
  return new Promise((settle, fail) => {
    const end = () => {
      clearTimeout(late);
      leave();
    };
    const look = (state = store.getState()) => {
      if (isUnsaved(state) && state.clash === undefined) return;
      end();
      if (state.clash === undefined) settle();
      else fail(notSaved("Others changed the same lines. Choose what counts first."));
    };
    const late = setTimeout(() => {
      end();
      fail(notSaved("It could not be saved."));
    }, waitMostMs);
    const leave = store.subscribe(look);
    queueMicrotask(look);
  });
}

function notSaved(title: string): Refusal {
  return new Refusal({ type: "about:blank", title, status: 0, code: "not-saved" });
}
