import { createContext, useContext } from 'react';

/** What a page may ask of the frame around it. */
export interface ShellActions {
  openMenu: () => void;
  openPalette: () => void;
  openShortcuts: () => void;
}

export const ShellActionsContext = createContext<ShellActions>({
  openMenu: () => {},
  openPalette: () => {},
  openShortcuts: () => {},
});

export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}
