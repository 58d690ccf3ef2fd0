/** The picture that was opened last, for the way back to the list. */
let id: string | null = null;

export function setLastOpened(opened: string): void {
  id = opened;
}

/** Once. */
export function takeLastOpened(): string | null {
  const taken = id;
  id = null;
  return taken;
}
