import { createContext, type ReactNode, useContext } from 'react';

/**
 * Where menus, lists and tooltips are put: into the landmark or dialog that they belong to, so that
 * nobody who moves by landmarks loses them, and no modal dialog hides its own.
 */
const FloatContainerContext = createContext<HTMLElement | null>(null);

export function FloatContainer({
  element,
  children,
}: {
  /** Null until it is drawn; then the body takes them. */
  element: HTMLElement | null;
  children: ReactNode;
}) {
  return <FloatContainerContext value={element}>{children}</FloatContainerContext>;
}

/** For the portal of what floats. */
export function useFloatContainer(): { container?: HTMLElement } {
  const element = useContext(FloatContainerContext);
  return element ? { container: element } : {};
}
