import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { useIsOnline } from '../lib/connection.ts';

export function OfflineBanner() {
  const t = useText(shellText);
  const isOnline = useIsOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-label text-warn">
          {t.offline}
        </p>
      )}
    </div>
  );
}
