import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { IssuedKeyView, KeyView } from '../../../../shared/console/keys.ts';
import { isUncertain, toApiError } from '../../../api/api-error.ts';
import { readKey, rotateKey } from '../../../api/keys.ts';
import { useAction } from '../../../forms/use-action.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
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
  const formats = useFormats();
  const { previous_secret_until: until } = apiKey;
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('1');
  const { rotate, isUnsure } = useRotate(apiKey);
  const { run, isBusy, failure } = useAction(async () => onRotated(await rotate(Number(overlap))));
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
      {until !== null && !isUnsure && (
        <Notice tone="warn">{t.rotateEnds(formats.time(until))}</Notice>
      )}
      <Field label={t.overlapField} className="max-w-60">
        <Select
          value={overlap}
          onChange={setOverlap}
          choices={overlaps.map((value) => ({ value, label: t.overlaps[value] }))}
        />
      </Field>
      {failure && <ErrorNote error={failure} />}
      {isUnsure && <Notice tone="warn">{t.rotateUnsure}</Notice>}
    </Dialog>
  );
}

/** Rotates so that the secret in use outlives one that nobody has seen, because the answer got lost. */
function useRotate({ id }: KeyView) {
  const queryClient = useQueryClient();
  /** How the secret reads that is in use. */
  const inUse = useRef<string | null>(null);
  const [isUnsure, setUnsure] = useState(false);
  const rotate = async (overlapHours: number) => {
    // The list may be older than a rotation elsewhere.
    const { masked } = await readKey(id);
    if (!isUnsure) inUse.current = masked;
    const inPlaceOf = masked === inUse.current ? undefined : masked.slice(-4);
    try {
      return await rotateKey(id, { overlapHours, inPlaceOf });
    } catch (thrown) {
      if (isUncertain(toApiError(thrown))) {
        setUnsure(true);
        void queryClient.invalidateQueries({ queryKey: ['keys'] });
      }
      throw thrown;
    }
  };
  return { rotate, isUnsure };
}
