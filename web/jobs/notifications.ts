/** Notices of the system, for who asked for them, while nobody looks at the page. */
import { createStore, useStore } from '../lib/store.ts';

type MayNotify = NotificationPermission | 'unsupported';

const permission = createStore<MayNotify>(
  'Notification' in globalThis ? Notification.permission : 'unsupported',
);

export function useMayNotify(): MayNotify {
  return useStore(permission);
}

export async function askToNotify(): Promise<void> {
  permission.set(await Notification.requestPermission());
}

/** Without the prompt: a notice may be seen by others. */
export function notify(title: string): void {
  if (permission.get() !== 'granted' || document.visibilityState === 'visible') return;
  const notice = new Notification(title, { tag: 'tintype' });
  notice.addEventListener('click', () => window.focus());
}
