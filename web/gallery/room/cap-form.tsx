import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useFormats } from '../../i18n/formats.tsx';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type GalleryFacts, galleryLimits, type UserGallery } from '../gallery.ts';
import { readBrowserRoom, suggestedCap } from '../kept/browser-room.ts';
import { galleryQuery } from '../use-gallery.ts';

const megabyte = 1_000_000;

/** How much room the pictures may take. */
export function CapForm({ gallery, facts }: { gallery: UserGallery; facts: GalleryFacts }) {
  const t = useText(galleryText);
  const formats = useFormats();
  const toast = useToast();
  const { capBytes, isCapChosen } = facts;
  const [typed, setTyped] = useState(
    isCapChosen && capBytes !== null ? String(Math.round(capBytes / megabyte)) : '',
  );
  const [isWrong, setWrong] = useState(false);
  const { data: room } = useQuery({
    ...galleryQuery,
    queryKey: ['gallery', 'room'],
    queryFn: readBrowserRoom,
  });
  const least = formats.bytes(galleryLimits.capBytesLeast);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const bytes = readCap(typed);
    setWrong(bytes === 'wrong');
    if (bytes === 'wrong') return;
    void gallery.setCap(bytes).then(() => toast({ title: t.limitSet }));
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-wrap items-start gap-2">
      <Field
        label={t.limit}
        className="min-w-0 flex-1 basis-56"
        help={room ? t.limitHelp(formats.bytes(suggestedCap(room))) : null}
        error={isWrong ? t.limitError(least) : null}
      >
        <NumberInput value={typed} unit="MB" onChange={setTyped} />
      </Field>
      <Button type="submit" className="mt-5.5">
        {t.setLimit}
      </Button>
    </form>
  );
}

function readCap(typed: string): number | null | 'wrong' {
  const text = typed.trim();
  if (text === '') return null;
  if (!/^\d{1,7}$/.test(text)) return 'wrong';
  const bytes = Number(text) * megabyte;
  return bytes < galleryLimits.capBytesLeast ? 'wrong' : bytes;
}
