import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** What will happen, with numbers. */
  children: ReactNode;
  /** A verb with its object: "Delete 128 images". */
  confirm: string;
  onConfirm: () => void;
  isBusy?: boolean;
  /** Whether what it says is there. Until then it can be left, but not gone on with. */
  isReady?: boolean;
  /** Why it cannot be gone on with, such as that what it would say could not be loaded. */
  refusal?: string | null;
  isDanger?: boolean;
  /** Text that has to be typed first, for what cannot be undone. */
  typed?: { label: string; expected: string };
}

export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  isBusy = false,
  isReady = true,
  refusal = null,
  isDanger = false,
  typed,
}: ConfirmDialogProps) {
  const t = useText(uiText);
  const [text, setText] = useState('');
  const isTyped = !typed || asSeen(text) === asSeen(typed.expected);
  return (
    <Dialog
      open={open}
      isForced={isBusy}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button busy={isBusy} onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            look={isDanger ? 'danger' : 'primary'}
            busy={isBusy || !isReady}
            onClick={onConfirm}
            disabledReason={refusal ?? (isTyped ? null : typed.label)}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {typed && (
        <Field label={typed.label}>
          <TextInput value={text} onChange={setText} autoComplete="off" />
        </Field>
      )}
    </Dialog>
  );
}

/** A page shows several blanks as one, and what is typed may be of other characters that look the same. */
function asSeen(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').normalize();
}
