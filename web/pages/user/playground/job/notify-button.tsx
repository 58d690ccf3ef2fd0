import { Bell } from 'lucide-react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { askToNotify, useMayNotify } from '../../../../jobs/notifications.ts';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';

/** Only until it was answered; the browser remembers. */
export function NotifyButton() {
  const t = useText(playgroundText);
  const permission = useMayNotify();
  if (permission !== 'default') return null;
  return (
    <IconButton label={t.notifyMe} icon={<Bell {...icon} />} onClick={() => void askToNotify()} />
  );
}
