// Nothing: the empty state of the canvas. It says how to start, or that the file cannot be shown.

import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";

export function Nothing({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty
      title="Nothing here yet"
      action={
        <Button kind="primary" shortcut="A" onClick={onAdd}>
          Add a node
        </Button>
      }
    >
      Paste a curl command anywhere, double click the canvas, or press A.
    </Empty>
  );
}

/** The bar and the source list the file's problems. */
export function Unreadable({ onSource }: { onSource: () => void }) {
  return (
    <Empty
      title="The file cannot be drawn"
      action={
        <Button kind="primary" shortcut="3" onClick={onSource}>
          Show the source
        </Button>
      }
    >
      Something in its text cannot be read. The source shows where, and the drawing comes back as soon as it is mended.
    </Empty>
  );
}
