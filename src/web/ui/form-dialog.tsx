// FormDialog: a dialog with fields and a button that submits them, as does Ctrl+Enter. ConfirmDialog: a question before something is lost.

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failed } from "./problem.tsx";

/** While it works the dialog is busy, and shows its error. Typed values don't stay in the page. */
function useWork<Given>(work: (given: Given) => unknown) {
  return useMutation({ mutationFn: async (given: Given) => void (await work(given)), gcTime: 0 });
}

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The label of the button. */
  submit: string;
  disabled?: boolean;
  /** Not called while `disabled`, or before the last call has ended. It closes the dialog. */
  onSubmit: (form: HTMLFormElement) => unknown;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, description, submit, disabled, onSubmit, onClose, children } = props;
  const form = useId();
  const saving = useWork(onSubmit);
  const actions = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={form} kind="primary" busy={saving.isPending} disabled={disabled}>
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
          // Ctrl+Enter does not press the busy button.
          if (!disabled && !saving.isPending) saving.mutate(event.currentTarget);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children}
        <Failed error={saving.error} />
      </form>
    </Dialog>
  );
}

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** The label of the button. */
  action: string;
  /** It closes the dialog. */
  onConfirm: () => unknown;
  onClose: () => void;
  children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, onConfirm, onClose, children } = props;
  const removing = useWork(onConfirm);
  const actions = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Keep
      </Button>
      <Button kind="danger" busy={removing.isPending} onClick={() => removing.mutate(undefined)}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} description={description} actions={actions}>
      {children}
      <Failed error={removing.error} />
    </Dialog>
  );
}
