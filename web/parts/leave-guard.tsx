import { type LeaveGuardOptions, useLeaveGuard } from '../forms/use-leave-guard.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface LeaveGuardProps extends LeaveGuardOptions {
  isDirty: boolean;
  /** What is lost; by default the changes on the page. */
  text?: string;
}

/** Asks whoever is about to leave changes that are not saved. */
export function LeaveGuard({ isDirty, text, ...options }: LeaveGuardProps) {
  const t = useText(shellText).leave;
  const { isAsking, stay, leave } = useLeaveGuard(isDirty, options);
  return (
    <Dialog
      open={isAsking}
      onClose={stay}
      title={t.title}
      width="narrow"
      actions={
        <>
          <Button onClick={leave}>{t.leave}</Button>
          <Button look="primary" onClick={stay}>
            {t.stay}
          </Button>
        </>
      }
    >
      <p>{text ?? t.text}</p>
    </Dialog>
  );
}
