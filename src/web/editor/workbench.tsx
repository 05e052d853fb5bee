// Workbench: the editor of one workflow: canvas and text as two views of it, outline, inspector, and problems (spec
// 2.3, ui.md 6.1, 6.2).

import { Plus } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useMemo } from "react";
import { Frame } from "../app/frame.tsx";
import { Outline } from "../canvas/outline.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import { useEditorActions } from "./actions.ts";
import { type Bench, useBench } from "./bench.ts";
import { OpenBox } from "./boxes.tsx";
import { Conflict } from "./conflict-dialog.tsx";
import { DesignArea, EmptyDrawing } from "./design-area.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { EditorDock } from "./editor-dock.tsx";
import { below, leaveInspector, leaveSource } from "./moves.ts";
import { UndoButtons } from "./palette.tsx";
import { FailedNode, RunBar, useOverlay } from "./run-over.tsx";
import { SecretsBar } from "./secrets-bar.tsx";
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
  const { session, state, model, frame, view, hasCanvas } = bench;
  useEditorActions(bench);
  const empty = model.order.length === 0 && <EmptyDrawing bench={bench} />;
  return (
    <div className="flex h-full flex-col">
      <EditorBar bench={bench} />
      <Conflict session={session} state={state} />
      <SecretsBar doc={state.doc} onEdit={(edit) => session.edit(edit)} />
      <Frame
        frame={frame}
        outline={
          <>
            <OutlineArea bench={bench} empty={empty} />
            {!hasCanvas && <RunBar bench={bench} />}
          </>
        }
        dock={<EditorDock bench={bench} />}
        isText={view === "source"}
        inspector={<InspectorArea bench={bench} />}
      >
        <div data-part="work" className="relative flex h-full min-h-0">
          {view !== "source" && <DesignArea bench={bench} empty={empty} />}
          {view !== "design" && <SourceArea bench={bench} />}
          <RunBar bench={bench} />
        </div>
      </Frame>
      <OpenBox bench={bench} />
    </div>
  );
}

function OutlineArea({ bench, empty }: { bench: Bench; empty: ReactNode }) {
  const { model, badges, selected, session, openInspector, last, hasCanvas, setBox } = bench;
  const over = useOverlay(bench);
  return (
    <Outline
      {...{ model, badges, selected, overlay: over?.overlay }}
      isMany
      onSelect={session.select}
      onOpen={openInspector}
      carried={over?.carried ?? last.carried}
    >
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 className="flex-1 font-semibold">Outline</h2>
        {!hasCanvas && <UndoButtons bench={bench} />}
        <IconButton
          label="Add a node"
          shortcut="A"
          size="small"
          icon={<Plus size={15} />}
          onClick={(event) => setBox({ kind: "add", screen: below(event.currentTarget), where: {} })}
        />
      </header>
      {empty}
    </Outline>
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
  const { session, state, found, save, frame, last } = bench;
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
      className="flex h-full flex-col"
      onBlur={bench.followName}
      onKeyDown={(event) => {
        if (event.key === "Enter") bench.followName();
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        leaveInspector(bench);
      }}
    >
      <FailedNode bench={bench} />
      <div className="min-h-0 flex-1">
        <Suspense>
          <Inspector
            {...{ selected, onEdit, save, last }}
            onRun={bench.started}
            doc={state.doc}
            diagnostics={found}
            onClose={() => frame.set({ inspector: false })}
          />
        </Suspense>
      </div>
    </div>
  );
}
