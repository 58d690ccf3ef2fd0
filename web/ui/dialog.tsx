import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { classes } from './classes.ts';
import { useFirstFocus } from './first-focus.ts';
import { FloatContainer } from './float-container.tsx';
import { icon } from './icon.ts';
import { IconButton } from './icon-button.tsx';
import { useTyped } from './use-typed.ts';

export interface DialogProps {
  open: boolean;
  /**
   * Also for Escape and a click beside it, unless it cannot be dismissed. Once something was typed, neither
   * does anything: its buttons say what they do.
   */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at its end, the one that goes on last. */
  actions?: ReactNode;
  /** It stays until one of its own buttons is used. */
  isForced?: boolean;
  width?: 'narrow' | 'normal' | 'wide';
}

export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  isForced = false,
  width = 'normal',
}: DialogProps) {
  const t = useText(uiText);
  const [popup, setPopup] = useState<HTMLElement | null>(null);
  const { hasTyped, onInput } = useTyped(popup);
  const { titleRef, contentRef, firstFocus } = useFirstFocus({ atField: true });
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={isForced || hasTyped}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && !isForced && !(hasTyped && reason === 'escape-key')) onClose();
      }}
    >
      <Base.Portal>
        {/* Also over another dialog or a panel. */}
        <Base.Backdrop forceRender className="appear fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-40 grid place-items-center overflow-y-auto p-4">
          <Base.Popup
            ref={setPopup}
            initialFocus={firstFocus}
            onInput={onInput}
            className={classes(
              'appear w-full rounded-control border border-line bg-surface p-5 text-text shadow-float',
              widths[width],
            )}
          >
            <FloatContainer element={popup}>
              {/* What floats is put beside this: as one of its rows it would make the dialog higher. */}
              <div className="grid gap-4">
                <div className="flex items-start justify-between gap-4">
                  <Base.Title ref={titleRef} tabIndex={-1} className="text-title">
                    {title}
                  </Base.Title>
                  {!isForced && (
                    <Base.Close
                      render={
                        <IconButton
                          label={t.close}
                          icon={<X {...icon} />}
                          className="-my-0.5 pointer-coarse:-my-2"
                        />
                      }
                    />
                  )}
                </div>
                <div ref={contentRef} className="grid min-w-0 gap-4">
                  {children}
                </div>
                {/* Their words may hold a name, which is longer than the dialog is wide. */}
                {actions && (
                  <div className="flex flex-wrap justify-end gap-2 *:whitespace-normal">
                    {actions}
                  </div>
                )}
              </div>
            </FloatContainer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

const widths = { narrow: 'max-w-100', normal: 'max-w-130', wide: 'max-w-190' } as const;
