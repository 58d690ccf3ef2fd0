import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../api/bootstrap.ts';
import { useFormats } from '../../i18n/formats.tsx';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { UserGallery } from '../gallery.ts';
import { galleryKey, galleryQuery } from '../use-gallery.ts';
import { planFreeing } from './free-space.ts';

export interface FreeSpaceDialogProps {
  gallery: UserGallery;
  onClose: () => void;
  onDelete: (ids: readonly string[]) => void;
  onExport: () => void;
}

const shares = ['0.25', '0.5', '0.75'] as const;

/** The oldest pictures without a star, as many as are asked for. */
export function FreeSpaceDialog({ gallery, onClose, onDelete, onExport }: FreeSpaceDialogProps) {
  const t = useText(galleryText);
  const formats = useFormats();
  const { id } = useUser();
  const [share, setShare] = useState<(typeof shares)[number]>('0.25');
  const { data: plan, isPlaceholderData } = useQuery({
    ...galleryQuery,
    queryKey: [...galleryKey(id), 'freeing', share],
    queryFn: () => planFreeing(gallery, Number(share)),
    placeholderData: (before) => before,
  });
  const count = plan?.ids.length ?? 0;
  return (
    <Dialog
      open
      width="narrow"
      title={t.free.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onExport}>{t.clearAll.exportFirst}</Button>
          <Button
            look="danger"
            // Until it is known which pictures these are, none can be deleted.
            busy={!plan || isPlaceholderData}
            disabledReason={plan && count === 0 ? t.free.nothing : null}
            onClick={() => onDelete(plan?.ids ?? [])}
          >
            {plan ? t.free.confirm(count) : t.free.title}
          </Button>
        </>
      }
    >
      <p>{t.free.text}</p>
      <Field label={t.free.amount}>
        <Segmented
          isWide
          value={share}
          onChange={setShare}
          choices={shares.map((value) => ({ value, label: formats.percent(Number(value)) }))}
        />
      </Field>
      {plan && (
        <p role="status" className="tabular text-label text-text-2">
          {count === 0 ? t.free.nothing : t.free.result(count, formats.bytes(plan.bytes))}
        </p>
      )}
    </Dialog>
  );
}
