import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { useSecondClicks } from '../lib/second-clicks.ts';
import { Toasts } from '../ui/toast.tsx';

/** What the components need around them, even where nothing is known of the installation. */
export function UiFrame({ children }: { children: ReactNode }) {
  useSecondClicks();
  return (
    // The policy allows no inline style sheet; ours are in files.
    <CSPProvider disableStyleElements>
      <Tooltip.Provider>
        <Toasts>{children}</Toasts>
      </Tooltip.Provider>
    </CSPProvider>
  );
}
