import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '../../../../shared/console/keys.ts';
import { rotateKey } from '../../../api/keys.ts';
import { useAction } from '../../../forms/use-action.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';

const overlaps = ['0', '1', '6', '24'] as const;

/** A new secret, and for how long the old one goes on beside it. */
export function RotateDialog({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: KeyView;
  onClose: () => void;
  onRotated: (issued: IssuedKeyView) => void;
}) {
  const t = useText(keysText);
  const { cancel } = useText(uiText);
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('1');
  const { run, isBusy, failure } = useAction(async () =>
    onRotated(await rotateKey(apiKey.id, Number(overlap))),
  );
  useStayWhile(isBusy);
  return (
    <Dialog
      open
      isForced={isBusy}
      title={t.rotateTitle(apiKey.name)}
      onClose={onClose}
      actions={
        <>
          <Button busy={isBusy} onClick={onClose}>
            {cancel}
          </Button>
          <Button look="primary" busy={isBusy} onClick={run}>
            {t.rotate}
          </Button>
        </>
      }
    >
      <p>{t.rotateText}</p>
      <Field label={t.overlapField} className="max-w-60">
        <Select
          value={overlap}
          onChange={setOverlap}
          choices={overlaps.map((value) => ({ value, label: t.overlaps[value] }))}
        />
      </Field>
      {failure && <ErrorNote error={failure} />}
    </Dialog>
  );
}
