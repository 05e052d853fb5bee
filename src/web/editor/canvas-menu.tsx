// CanvasMenu: what can be done with what lies under the pointer, by the right button, a long press or the menu key: the actions of this place
// (actions.ts), which the keyboard and the palette have too.
//   M1. What was pressed is what is selected, unless it belongs to the selection already.
//   M2. The focus is back where it was before an action is done: what it opens keeps it.

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

/** By the actions' ids; each list stands between lines. */
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
  /** M1. */
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
  /** M2. */
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
        // A finger that is lifted after a long press is no click beside the menu.
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
