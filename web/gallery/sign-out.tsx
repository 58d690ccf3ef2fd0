import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';
import { useRunningJobs } from '../lib/running-jobs.ts';
import { pages } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { GalleryFacts, UserGallery } from './gallery.ts';
import { SignOutChoice } from './sign-out-choice.tsx';
import { useGallery } from './use-gallery.ts';

/** Signs out; before that asks what is to become of the pictures and requests in this browser, when there are any. */
export function SignOut({ onClose }: { onClose: () => void }) {
  const gallery = useGallery();
  const navigate = useNavigate();
  const [facts, setFacts] = useState<GalleryFacts | null>(null);
  useEffect(() => {
    const leave = () => {
      onClose();
      void navigate({ to: pages.logout });
    };
    // A gallery that cannot be read keeps nobody from leaving.
    Promise.all([gallery.readFacts(), gallery.jobs.list()]).then(
      ([read, jobs]) => (read.runs > 0 || jobs.length > 0 ? setFacts(read) : leave()),
      leave,
    );
  }, [gallery, navigate, onClose]);
  if (!facts) return null;
  return <SignOutDialog gallery={gallery} facts={facts} onClose={onClose} />;
}

function SignOutDialog({
  gallery,
  facts: { runs, bytes },
  onClose,
}: {
  gallery: UserGallery;
  facts: GalleryFacts;
  onClose: () => void;
}) {
  const t = useText(galleryText);
  const formats = useFormats();
  const navigate = useNavigate();
  const running = useRunningJobs();
  const [choice, setChoice] = useState<'keep' | 'delete'>('keep');
  const [isNever, setNever] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const text =
    runs > 0
      ? t.signOut.text(t.imagesAndBytes(runs, formats.bytes(bytes)))
      : t.signOut.requestsText;
  const signOut = async () => {
    setBusy(true);
    if (choice === 'delete') await (isNever ? gallery.setKept(false) : gallery.forget());
    onClose();
    await navigate({ to: pages.logout });
  };
  return (
    <Dialog
      open
      width="narrow"
      title={t.signOut.title}
      onClose={onClose}
      actions={
        <Button look="primary" busy={isBusy} onClick={() => void signOut()}>
          {t.signOut.confirm}
        </Button>
      }
    >
      <p>{text}</p>
      <SignOutChoice value={choice} onChange={setChoice} />
      {choice === 'delete' && (
        <Checkbox label={t.signOut.neverKeep} checked={isNever} onChange={setNever} />
      )}
      {choice === 'delete' && !isNever && running > 0 && <p>{t.signOut.running(running)}</p>}
    </Dialog>
  );
}
