// CanvasMenu: the context menu of the canvas, opened by the right button, a long press, or the menu key. Its actions
// are those of the keyboard and the command palette (actions.ts).
//   M1. The node or edge under the pointer is selected, unless the selection already contains it.
//   M2. The focus returns to where it was before an action runs, so that whatever the action opens keeps the focus.

import { ContextMenu } from "radix-ui";
import { Fragment, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { type Action, useActionTable } from "../app/actions.ts";
import { Shortcut } from "../ui/keys.tsx";
import { itemClass, lineClass, menuClass } from "../ui/menu.tsx";

export interface CanvasMenuProps {
  selected: ReadonlySet<string>;
  selectedEdges: ReadonlySet<string>;
  onSelect: (ids: readonly string[], edges: readonly string[]) => void;
  onAddAt: (screen: { x: number; y: number }) => void;
  children: ReactNode;
}

/** Ids of actions. A separator is drawn between the lists. */
const ITEMS = {
  node: [
    ["editor.edit", "node.test", "node.run-to", "node.run-from"],
    ["editor.connect", "editor.wrap", "editor.rename"],
    ["editor.copy", "editor.cut", "editor.duplicate"],
    ["editor.delete", "editor.heal"],
  ],
  edge: [["editor.delete"]],
  ground: [
    ["editor.add", "editor.paste", "editor.all"],
    ["editor.tidy", "editor.fit"],
    ["editor.undo", "editor.redo"],
  ],
};

export function CanvasMenu({ selected, selectedEdges, onSelect, onAddAt, children }: CanvasMenuProps) {
  const pressed = useRef<{ target: Element; at: { x: number; y: number } }>(undefined);
  const chosen = useRef<() => void>(undefined);
  const open = useRef(false);
  const [kind, setKind] = useState<keyof typeof ITEMS>("ground");
  const places = useActionTable(({ places }) => places);
  const actions = new Map(places.flatMap((place) => place.actions.map((action) => [action.id, action] as const)));
  const onPress = (event: PointerEvent | React.MouseEvent): void => {
    pressed.current = { target: event.target as Element, at: { x: event.clientX, y: event.clientY } };
  };
  /** Selects the target of the menu (M1). */
  const onOpen = (isOpen: boolean): void => {
    const target = pressed.current?.target;
    open.current = isOpen;
    if (!isOpen || target === undefined) return;
    const node = target.closest(".react-flow__node")?.getAttribute("data-id") ?? undefined;
    const edge = target.closest(".react-flow__edge")?.getAttribute("data-id") ?? undefined;
    setKind(node !== undefined ? "node" : edge !== undefined ? "edge" : "ground");
    if (node !== undefined && !selected.has(node)) onSelect([node], []);
    else if (node === undefined && edge !== undefined && !selectedEdges.has(edge)) onSelect([], [edge]);
  };
  const run = (action: Action): void => {
    const at = pressed.current?.at;
    chosen.current = action.id === "editor.add" && at !== undefined ? () => onAddAt(at) : action.run;
  };
  /** Restores the focus, then runs the action (M2). */
  const onClosed = (event: Event): void => {
    event.preventDefault();
    pressed.current?.target.closest<HTMLElement>(".react-flow__node, .react-flow__edge")?.focus();
    chosen.current?.();
    chosen.current = undefined;
  };
  const lists = ITEMS[kind]
    .map((ids) => ids.flatMap((id) => actions.get(id) ?? []).filter(({ disabled }) => disabled !== true))
    .filter((list) => list.length > 0);
  return (
    <ContextMenu.Root modal={false} onOpenChange={onOpen}>
      <ContextMenu.Trigger
        className="block h-full"
        onPointerDownCapture={onPress}
        onContextMenuCapture={onPress}
        // Otherwise lifting the finger after a long press counts as a click outside the menu.
        onTouchEnd={(event) => open.current && event.preventDefault()}
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          aria-label={kind === "ground" ? "Canvas" : kind === "edge" ? "Edge" : "Node"}
          collisionPadding={8}
          className={menuClass}
          onCloseAutoFocus={onClosed}
        >
          {lists.map((list, at) => (
            <Fragment key={list[0]?.id}>
              {at > 0 && <ContextMenu.Separator className={lineClass} />}
              {list.map((action) => (
                <ContextMenu.Item key={action.id} onSelect={() => run(action)} className={itemClass(false)}>
                  <span className="flex-1">{action.title}</span>
                  {action.keys !== undefined && <Shortcut keys={action.keys} />}
                </ContextMenu.Item>
              ))}
            </Fragment>
          ))}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
