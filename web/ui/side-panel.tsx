import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { useFirstFocus } from './first-focus.ts';
import { FloatContainer } from './float-container.tsx';
import { icon } from './icon.ts';
import { IconButton } from './icon-button.tsx';
import { useTyped } from './use-typed.ts';

export interface SidePanelProps {
  open: boolean;
  /** Also for Escape and a click beside it; once something was typed, neither does anything. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Stay at its end while it scrolls. */
  actions?: ReactNode;
  /** The focus goes to its first field; by default to its title. */
  startsAtField?: boolean;
  /** Where the focus goes when it has closed; by default where it came from. */
  finalFocus?: () => HTMLElement | null;
}

/** A record or a form at the right, over the list that it belongs to. */
export function SidePanel({
  open,
  onClose,
  title,
  children,
  actions,
  startsAtField = false,
  finalFocus,
}: SidePanelProps) {
  const t = useText(uiText);
  const [popup, setPopup] = useState<HTMLElement | null>(null);
  const { hasTyped, onInput, reset } = useTyped(popup);
  const { titleRef, contentRef, firstFocus } = useFirstFocus({ atField: startsAtField });
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={hasTyped}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && !(hasTyped && reason === 'escape-key')) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="appear fixed inset-0 z-30 bg-scrim" />
        <Base.Popup
          ref={setPopup}
          initialFocus={firstFocus}
          onInput={onInput}
          onSubmit={reset}
          {...(finalFocus ? { finalFocus: () => finalFocus() ?? true } : {})}
          className="appear fixed inset-y-0 right-0 z-40 flex w-[min(560px,100vw)] flex-col border-l border-line bg-surface text-text shadow-float"
        >
          <FloatContainer element={popup}>
            <header className="flex min-h-12 items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5 max-sm:pl-4">
              <Base.Title
                ref={titleRef}
                tabIndex={-1}
                className="min-w-0 text-body font-semibold break-words"
              >
                {title}
              </Base.Title>
              <Base.Close render={<IconButton label={t.close} icon={<X {...icon} />} />} />
            </header>
            {/* Scrolls, so the keyboard must be able to get there. */}
            <div
              ref={contentRef}
              className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto p-5 max-sm:p-4"
            >
              {children}
            </div>
            {actions && (
              <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 max-sm:px-4">
                {actions}
              </footer>
            )}
          </FloatContainer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
