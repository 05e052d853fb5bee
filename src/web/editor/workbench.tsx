// Workbench: the editor of one workflow: canvas and text as two views of it, outline, inspector, and problems (spec
// 2.3, ui.md 6.1, 6.2).

import { Suspense, useCallback, useMemo } from "react";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import { useEditorActions } from "./actions.ts";
import { type Bench, useBench } from "./bench.ts";
import { OpenBox } from "./boxes.tsx";
import { Conflict } from "./conflict-dialog.tsx";
import { DesignArea, EmptyDrawing } from "./design-area.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { Frame } from "./frame.tsx";
import { leaveInspector, leaveSource, showProblem } from "./moves.ts";
import { Outline } from "./outline.tsx";
import { UndoButtons } from "./palette.tsx";
import { Problems } from "./problems.tsx";
import type { Session } from "./session.ts";
import type { Loaded } from "./use-document.ts";

const SourceView = lazily(
  () => import("./source-view.tsx"),
  (it) => it.SourceView,
);
const Inspector = lazily(
  () => import("../inspector/inspector.tsx"),
  (it) => it.Inspector,
);

export function Workbench({ loaded }: { loaded: Loaded }) {
  const bench = useBench(loaded);
  const { session, state, model, found, frame, view, hasCanvas } = bench;
  useEditorActions(bench);
  const empty = model.order.length === 0 && <EmptyDrawing bench={bench} />;
  return (
    <div className="flex h-full flex-col">
      <EditorBar bench={bench} />
      <Conflict session={session} state={state} />
      <Frame
        frame={frame}
        outline={<Outline bench={bench} tools={!hasCanvas && <UndoButtons bench={bench} />} empty={empty} />}
        problems={<Problems diagnostics={found.list} onGo={(line, column) => showProblem(bench, line, column)} />}
        problemCount={found.list.length}
        isText={view === "source"}
        inspector={<InspectorArea bench={bench} />}
      >
        <div data-part="work" className="relative flex h-full min-h-0">
          {view !== "source" && <DesignArea bench={bench} empty={empty} />}
          {view !== "design" && <SourceArea bench={bench} />}
        </div>
      </Frame>
      <OpenBox bench={bench} />
    </div>
  );
}

function SourceArea({ bench }: { bench: Bench }) {
  const { session, state, found, view, operations } = bench;
  return (
    <div className={view === "split" ? "w-1/2 min-w-0 border-l border-line" : "min-w-0 flex-1"}>
      <Suspense fallback={<p className="p-4 text-muted">Opening the source…</p>}>
        <SourceView
          doc={state.doc}
          diagnostics={found}
          selected={state.selected}
          onType={session.type}
          onUndo={operations.undo}
          onRedo={operations.redo}
          onCursor={(id) => session.select([id])}
          onLeave={() => leaveSource(bench)}
          goTo={bench.goTo}
        />
      </Suspense>
    </div>
  );
}

function InspectorArea({ bench }: { bench: Bench }) {
  const { session, state, found, save, frame } = bench;
  const selected = useMemo(() => [...state.selected], [state.selected]);
  const onEdit = useCallback(
    (edit: Parameters<Session["edit"]>[0]) => {
      const problem = session.edit(edit);
      if (problem !== undefined) toast(problem);
    },
    [session],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape moves one level out of the focused field.
    <div
      data-part="inspector"
      className="h-full"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        leaveInspector(bench);
      }}
    >
      <Suspense>
        <Inspector
          {...{ selected, onEdit, save }}
          doc={state.doc}
          diagnostics={found}
          onClose={() => frame.set({ inspector: false })}
        />
      </Suspense>
    </div>
  );
}
