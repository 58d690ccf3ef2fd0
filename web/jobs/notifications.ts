/** Notices of the system, for who asked for them, while nobody looks at the page. */
import { createStore, useStore } from '../lib/store.ts';

type MayNotify = NotificationPermission | 'unsupported';

const permission = createStore<MayNotify>(readPermission());

function readPermission(): MayNotify {
  if (!('Notification' in globalThis)) return 'unsupported';
  // Nothing is shown before it is allowed; where pages cannot show any, as on Android, it is refused even so.
  const isOpen = Notification.permission === 'default';
  return isOpen && !show('') ? 'unsupported' : Notification.permission;
}

export function useMayNotify(): MayNotify {
  return useStore(permission);
}

export async function askToNotify(): Promise<void> {
  permission.set(await Notification.requestPermission());
}

/** Without the prompt: a notice may be seen by others. */
export function notify(title: string): void {
  if (permission.get() !== 'granted' || document.visibilityState === 'visible') return;
  show(title)?.addEventListener('click', () => window.focus());
}

/** Null where it is not for a page to show them. */
function show(title: string): Notification | null {
  try {
    return new Notification(title, { tag: 'tintype' });
  } catch {
    return null;
  }
}
