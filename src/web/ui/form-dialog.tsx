// FormDialog: a dialog with fields and a button that submits them, as does Ctrl+Enter. ConfirmDialog: a question before something is lost.

import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failed } from "./problem.tsx";

/** The parts of a mutation that a dialog shows. */
interface Pending {
  isPending: boolean;
  error: unknown;
}

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The label of the button. */
  submit: string;
  disabled?: boolean;
  saving?: Pending;
  /** Not called while `disabled`. */
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, description, submit, disabled, saving, onSubmit, onClose, children } = props;
  const form = useId();
  const actions = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={form} kind="primary" busy={saving?.isPending} disabled={disabled}>
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} description={description} actions={actions}>
      <form
        id={form}
        className="flex flex-col gap-4 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled) onSubmit(event.currentTarget);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children}
        <Failed error={saving?.error ?? null} />
      </form>
    </Dialog>
  );
}

export interface ConfirmDialogProps {
  title: string;
  description: string;
  /** The label of the button. */
  action: string;
  removing?: Pending;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, removing, onConfirm, onClose, children } = props;
  const actions = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Keep
      </Button>
      <Button kind="danger" busy={removing?.isPending} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} description={description} actions={actions}>
      {children}
      <Failed error={removing?.error ?? null} />
    </Dialog>
  );
}
