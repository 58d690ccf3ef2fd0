import { useQuery, useQueryClient } from '@tanstack/react-query';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { askForProtection, readBrowserRoom } from '../kept/browser-room.ts';
import { galleryQuery } from '../use-gallery.ts';

/** Whether the browser may clear the pictures up by itself. */
export function ProtectionLine() {
  const t = useText(galleryText).protection;
  const queryClient = useQueryClient();
  const queryKey = ['gallery', 'room'];
  const { data } = useQuery({
    ...galleryQuery,
    queryKey,
    queryFn: readBrowserRoom,
  });
  if (!data) return null;
  const { isProtected } = data;
  const ask = async () => {
    await askForProtection();
    await queryClient.invalidateQueries({ queryKey });
  };
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p>{isProtected === null ? t.unknown : isProtected ? t.yes : t.no}</p>
        {isProtected === false && (
          <Button size="small" onClick={() => void ask()}>
            {t.ask}
          </Button>
        )}
      </div>
      <p className="text-label text-text-2">{t.text}</p>
    </div>
  );
}
