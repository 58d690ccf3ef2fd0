/** What the key is called that shortcuts begin with: see `shortcuts.ts`. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';
}
