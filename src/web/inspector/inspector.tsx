// Inspector: the panel next to the canvas (ui 6.3). It shows the fields of the selected node in tabs, the document's
// own fields if nothing is selected, or the names of several selected nodes. Its owner performs the edits.
//   I1. Fields show the document as it is written, even if it is invalid, so nothing is lost.
//   I2. The surrounding frame decides its position, its width, and whether it is open (app/frame.tsx).

import { X } from "lucide-react";
import { Fragment, Suspense, useMemo, useRef, useState } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { Diagnostic } from "../../workflow/diagnostic.ts";
import { isNodeType, kindOf } from "../../workflow/kinds/index.ts";
import { Connections } from "../canvas/connections.tsx";
import { findingsOf } from "../code/places.ts";
import { rootOf } from "../document/open.ts";
import { nodeOf, nodesOf, titleOf } from "../document/plain.ts";
import type { Doc, Edit } from "../document/types.ts";
import { sketchOf } from "../editor/read.ts";
import { NODE_VIEWS, type TabSpec } from "../kinds.ts";
import { DocsLink } from "../ui/docs-link.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazily } from "../ui/lazily.ts";
import { Tabs } from "../ui/tabs.tsx";
import { Panel, type PanelContext, type ShownNode } from "./context.ts";
import { Found, isError } from "./fields/frame.tsx";
import { formOf } from "./form.ts";
import { SaveValue } from "./save-value.tsx";
import { SectionView } from "./section-view.tsx";
import { TestTab, useTest } from "./test-tab.tsx";
import { ValuePicker } from "./value-picker.tsx";
import type { LastValues } from "./values.ts";

const DocumentPanel = lazily(
  () => import("./document-panel.tsx"),
  (it) => it.DocumentPanel,
);
const ReadoutView = lazily(
  () => import("./readout-view.tsx"),
  (it) => it.ReadoutView,
);
const SelectPreview = lazily(
  () => import("./select-preview.tsx"),
  (it) => it.SelectPreview,
);

export interface InspectorProps {
  doc: Doc;
  /**
   * Diagnostics of the whole document (validateWorkflow), with the text that they are about, which can be out of date.
   */
  diagnostics: { text: string; list: readonly Diagnostic[] };
  selected: readonly string[];
  onEdit: (edit: Edit) => void;
  last: LastValues;
  /** Writes unsaved changes before a node is tested. */
  save?: () => Promise<void>;
  /** Called with a run that the panel started. `isTest`: it runs only this node. */
  onRun?: (run: string, isTest: boolean) => void;
  onClose?: () => void;
}

export function Inspector(props: InspectorProps) {
  const { doc, diagnostics, selected, onEdit, last, onClose } = props;
  const graph = useMemo(() => sketchOf(doc.parsed, doc.plain), [doc]);
  const findings = useMemo(
    () => findingsOf(diagnostics.text, diagnostics.list, diagnostics.text === doc.text ? () => rootOf(doc) : undefined),
    [diagnostics, doc],
  );
  const [only] = selected.length === 1 ? selected : [];
  const identity = useRef({ id: "", index: -1, count: 0 });
  const node = useMemo(() => {
    const shown = only === undefined ? undefined : shownNode(doc, only);
    if (shown === undefined) return undefined;
    const { current: was } = identity;
    const isRenamed = was.index === shown.index && nodeOf(doc.plain ?? {}, was.id) === undefined;
    const count = was.id === shown.id || isRenamed ? was.count : was.count + 1;
    const key = `node ${count}`;
    identity.current = { id: shown.id, index: shown.index, count };
    return { ...shown, key };
  }, [doc, only]);
  const isChecked = diagnostics.text === doc.text;
  const panel = useMemo(
    (): PanelContext => ({ doc, graph, findings, last, onEdit, isChecked, node }),
    [doc, graph, findings, last, onEdit, node, isChecked],
  );
  const many = selected.length > 1 ? `${selected.length} nodes` : undefined;
  const page = `reference/workflow-file#${node === undefined ? "the-document" : NODE_VIEWS[node.type].docs}`;
  const title = node === undefined ? (many ?? "Workflow") : visibleLine(titleOf({ ...node }));
  return (
    <Panel value={panel}>
      <aside aria-label="Inspector" className="flex h-full min-h-0 flex-col bg-panel">
        <header className="flex min-h-11 items-center gap-2 border-b border-line pr-2 pl-4">
          <div className="min-w-0 flex-1">
            <h2 className="truncate font-semibold">{title}</h2>
            {node !== undefined && (
              <p className="truncate text-xs text-muted">
                {kindOf(node).longName ?? kindOf(node).name} · <code>{node.id}</code>
              </p>
            )}
          </div>
          <DocsLink
            page={page}
            label={`Docs: ${node === undefined ? "workflow files" : kindOf(node).name}`}
            className="px-1"
          >
            Docs
          </DocsLink>
          {onClose !== undefined && (
            <IconButton
              label="Close the inspector"
              shortcut="Ctrl+."
              icon={<X size={16} aria-hidden="true" />}
              onClick={onClose}
            />
          )}
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto">
          {node !== undefined ? (
            <NodePanel key={node.key} node={node} panel={panel} save={props.save} onRun={props.onRun} />
          ) : selected.length > 1 ? (
            <ManyNodes titles={selected.map((id) => graph.nodes[graph.indexOf.get(id) ?? -1]?.node.data.title ?? id)} />
          ) : (
            <Suspense>
              {only !== undefined && <UnreadNode {...{ doc, findings }} id={only} />}
              <DocumentPanel />
            </Suspense>
          )}
        </div>
      </aside>
    </Panel>
  );
}

/** A limit, so that the hint stays visible below the names. */
const NAMED_MAX = 12;

function ManyNodes({ titles }: { titles: readonly string[] }) {
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <ul className="flex flex-col gap-1">
        {titles.slice(0, NAMED_MAX).map((title, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles can be equal.
          <li key={at} className="truncate">
            {visibleLine(title)}
          </li>
        ))}
        {titles.length > NAMED_MAX && <li className="text-muted">and {titles.length - NAMED_MAX} more</li>}
      </ul>
      <p className="text-muted">Select a single node to see its fields. The menu of the canvas is for all of them.</p>
    </div>
  );
}

/** A node that is drawn without a form, because its kind is unknown or its keys contradict each other. */
function UnreadNode({ doc, findings, id }: Pick<PanelContext, "doc" | "findings"> & { id: string }) {
  const index = indexOf(doc, id);
  if (index === -1) return null;
  return (
    <section aria-label="The selected node" className="flex flex-col gap-2 border-b border-line p-4">
      <p>
        <code>{id}</code> has no form because of its problems. Fix them in the source.
      </p>
      <Found findings={findings.under(["nodes", index])} />
    </section>
  );
}

function indexOf(doc: Doc, id: string): number {
  const list: unknown[] = Array.isArray(doc.plain?.nodes) ? doc.plain.nodes : [];
  return list.findIndex((item) => (item as { id?: unknown } | null)?.id === id);
}

/** The node as written, or `undefined` if its kind is unknown. */
function shownNode(doc: Doc, id: string): Omit<ShownNode, "key"> | undefined {
  const index = indexOf(doc, id);
  const written = nodesOf(doc.plain ?? {}).find((node) => node.id === id);
  if (written === undefined || !isNodeType(written.type)) return undefined;
  const data = written.data ?? {};
  const parsed = doc.parsed.draft?.workflow.nodes.find((node) => node.id === id);
  return {
    id,
    index,
    type: written.type,
    data,
    effective: (parsed?.data as Record<string, unknown> | undefined) ?? data,
  };
}

/** The tab that was last open. The next node of any kind opens with it, a new one with its first tab. */
let lastTab = "main";

export function openFirstTab(): void {
  lastTab = "main";
}

interface NodePanelProps extends Pick<InspectorProps, "save" | "onRun"> {
  node: ShownNode;
  panel: PanelContext;
}

function NodePanel({ node, panel, save, onRun }: NodePanelProps) {
  const form = formOf(node.type);
  const [chosen, choose] = useState(lastTab === "test" ? "main" : lastTab);
  const show = (tab: string) => {
    lastTab = tab;
    choose(tab);
  };
  const running = useTest({ save, onRun, shown: () => show("test") });
  const ids = [...form.map(({ id }) => id as string), "test"];
  const value = ids.includes(chosen) ? chosen : "main";
  return (
    <Tabs
      label="Parts of the node"
      value={value}
      onChange={show}
      className="h-full"
      tabs={[
        ...form.map((tab) => ({
          id: tab.id,
          label: <TabLabel tab={tab} node={node} panel={panel} />,
          content: (
            <div className="@container flex flex-col gap-5 p-4">
              {tab.id === "main" && <OtherFindings node={node} panel={panel} />}
              {tab.sections.map((section, at) => (
                <Fragment key={section.title ?? at}>
                  <SectionView section={section} />
                  {at === 0 && tab.id === "main" && <ValuePicker />}
                  {at === 0 && node.type === "cli" && (
                    <Suspense>
                      {tab.id === "main" && <ReadoutView />}
                      {tab.id === "output" && <SelectPreview />}
                    </Suspense>
                  )}
                </Fragment>
              ))}
              {tab.id === "output" && node.type === "cli" && <SaveValue />}
              {tab.id === "main" && <Connections graph={panel.graph} id={node.id} carried={panel.last.carried} />}
            </div>
          ),
        })),
        {
          id: "test",
          label: "Test",
          content: (
            <div className="p-4">
              <TestTab running={running} />
            </div>
          ),
        },
      ]}
    />
  );
}

/** The label, with the number of findings in the tab. */
function TabLabel({ tab, node, panel }: { tab: TabSpec; node: ShownNode; panel: PanelContext }) {
  const found = tab.sections.flatMap(({ fields }) =>
    fields.flatMap(({ path }) => panel.findings.under(["nodes", node.index, "data", ...path])),
  );
  if (found.length === 0) return tab.label;
  return (
    <span className="inline-flex items-center gap-1">
      {tab.label}
      <span className={found.some(isError) ? "text-failed" : "text-waiting"}>
        {found.length}
        <span className="sr-only"> found</span>
      </span>
    </span>
  );
}

/** Findings about the node as a whole, its edges, or fields that no form has. */
function OtherFindings({ node, panel }: { node: ShownNode; panel: PanelContext }) {
  const known = new Set<unknown>(
    formOf(node.type).flatMap(({ sections }) => sections.flatMap(({ fields }) => fields.map(({ path }) => path[0]))),
  );
  for (const key of ["iterations", "items", "as", "while", "start", "loopVariable"]) known.add(key);
  const findings = panel.findings.under(["nodes", node.index]);
  return <Found findings={findings.filter(({ path }) => path[2] !== "data" || !known.has(path[3]))} />;
}
