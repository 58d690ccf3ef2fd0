import type { LeaveGuard } from '../forms/use-leave-guard.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asked when somebody is about to leave a page whose changes are not saved. */
export function LeaveDialog({
  guard,
  text,
}: {
  guard: LeaveGuard;
  /** What is lost; by default the changes on the page. */
  text?: string;
}) {
  const t = useText(shellText).leave;
  return (
    <Dialog
      open={guard.isAsking}
      onClose={guard.stay}
      title={t.title}
      width="narrow"
      actions={
        <>
          <Button onClick={guard.leave}>{t.leave}</Button>
          <Button look="primary" onClick={guard.stay}>
            {t.stay}
          </Button>
        </>
      }
    >
      <p>{text ?? t.text}</p>
    </Dialog>
  );
}
