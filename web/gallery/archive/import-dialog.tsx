import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { ImportEnd } from '../use-gallery-actions.ts';

/** What came of an import, in numbers. */
export function ImportDialog({
  outcome,
  onClose,
}: {
  outcome: ImportEnd | null;
  onClose: () => void;
}) {
  const t = useText(galleryText).imported;
  if (!outcome) return null;
  return (
    <Dialog
      open
      width="narrow"
      title={t.titles[outcome.kind]}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <ImportWords outcome={outcome} />
    </Dialog>
  );
}

function ImportWords({ outcome }: { outcome: ImportEnd }) {
  const t = useText(galleryText).imported;
  switch (outcome.kind) {
    case 'refused':
      return <p>{t.refused[outcome.why]}</p>;
    case 'failed':
      return <p>{t.failed}</p>;
    case 'full':
      return <p>{t.notAll(outcome.added, outcome.total)}</p>;
    case 'done':
      return (
        <div className="grid gap-1">
          <p>{t.added(outcome.added)}</p>
          {outcome.known > 0 && <p>{t.known(outcome.known)}</p>}
          {outcome.damaged > 0 && <p>{t.damaged(outcome.damaged)}</p>}
        </div>
      );
  }
}
