/** The theme of the page. `theme-before-paint.js` reads what is kept here before the first paint. */
import { keptTexts } from './kept-texts.ts';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'tintype.theme';

export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  keptTexts.write(storageKey, theme === 'system' ? null : theme);
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}
