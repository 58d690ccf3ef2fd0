import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LeaveGuard } from './leave-guard.tsx';

export interface SecretOnceProps {
  title: string;
  text: string;
  /** Of the secret, for screen readers. */
  label: string;
  /** A secret, or several: one in each line. */
  secret: string;
  /** Hyphens stand between short groups, and lines end at them alone; else they end anywhere. */
  isInGroups?: boolean;
  words: { stored: string; storedFirst: string; done: string };
  /** Beside Copy. */
  actions?: ReactNode;
  children?: ReactNode;
  onDone: () => void;
}

/** A secret that is shown this once: it goes away only when somebody says that it is stored. */
export function SecretOnce({
  title,
  text,
  label,
  secret,
  isInGroups = false,
  words,
  actions,
  children,
  onDone,
}: SecretOnceProps) {
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      open
      isForced
      width={children ? 'wide' : 'normal'}
      title={title}
      onClose={() => {}}
      actions={
        <Button
          look="primary"
          disabledReason={isStored ? null : words.storedFirst}
          onClick={onDone}
        >
          {words.done}
        </Button>
      }
    >
      <p className="text-text-2">{text}</p>
      <div className="grid gap-2">
        <output
          aria-label={label}
          translate="no"
          // Password managers and recorders of sessions are asked to leave it alone.
          data-1p-ignore=""
          data-lpignore="true"
          data-bwignore=""
          data-form-type="other"
          data-private=""
          data-sentry-mask=""
          data-hj-suppress=""
          className={classes(
            'block rounded-control border border-line-strong bg-sunken px-3 py-2 font-mono text-body whitespace-pre-line select-all',
            isInGroups ? 'wrap-anywhere' : 'break-all',
          )}
        >
          {secret}
        </output>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={secret} isWide />
          {actions}
        </div>
      </div>
      {children}
      <Checkbox label={words.stored} checked={isStored} onChange={setStored} />
      <LeaveGuard isDirty={!isStored} asksApart text={text} />
    </Dialog>
  );
}
