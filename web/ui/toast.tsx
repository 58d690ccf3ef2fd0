import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from './button.tsx';
import { icon } from './icon.ts';
import { IconButton } from './icon-button.tsx';

export interface ToastWish {
  title: string;
  text?: string;
  /** Such as Undo. */
  action?: { label: string; onClick: () => void };
  /** Zero keeps it until it is dismissed. While somebody is at it, or at another window, it stays. */
  forMs?: number;
  /** Not even then for longer than this. */
  forMsMax?: number;
  /** However it ends, once. */
  onClose?: () => void;
}

const shownMs = 5_000;
/** As many as fit on a phone. Those before them cannot be used, and are not seen. */
const shownMax = 8;

/** Around the page. A toast is never the only place of what matters. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={shownMs} limit={shownMax}>
      {children}
      <Toast.Portal>
        <Viewport />
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** `toast({ title: 'Saved' })` */
export function useToast(): (wish: ToastWish) => void {
  const { add, close } = Toast.useToastManager<ToastData>();
  return useCallback(
    ({ title, text, action, forMs, forMsMax, onClose }) => {
      const id = add({
        title,
        ...(text === undefined ? {} : { description: text }),
        ...(forMs === undefined ? {} : { timeout: forMs }),
        ...(onClose ? { onClose } : {}),
        data: action
          ? {
              action: {
                label: action.label,
                onClick: () => {
                  action.onClick();
                  close(id);
                },
              },
            }
          : {},
      });
      if (forMsMax !== undefined) setTimeout(() => close(id), forMsMax);
    },
    [add, close],
  );
}

interface ToastData {
  action?: { label: string; onClick: () => void };
}

function Viewport() {
  const t = useText(uiText);
  const { toasts } = Toast.useToastManager<ToastData>();
  return (
    <Toast.Viewport
      aria-label={t.notifications}
      className="fixed right-4 bottom-4 z-50 flex w-[min(360px,calc(100vw-32px))] flex-col gap-2"
    >
      {toasts.map((toast) => (
        <Toast.Root
          key={toast.id}
          toast={toast}
          swipeDirection={[]}
          className="appear rounded-control border border-line bg-surface p-3 text-text shadow-float data-limited:hidden"
        >
          <Toast.Content className="flex items-start gap-3">
            <div className="min-w-0 flex-1 self-center">
              <Toast.Title className="font-semibold" />
              <Toast.Description className="text-label text-text-2" />
            </div>
            {toast.data?.action && (
              <Button size="small" onClick={toast.data.action.onClick}>
                {toast.data.action.label}
              </Button>
            )}
            <Toast.Close
              render={<IconButton label={t.dismiss} icon={<X {...icon} />} size="small" />}
            />
          </Toast.Content>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  );
}
