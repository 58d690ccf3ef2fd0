/** The theme of the page. `theme-before-paint.js` reads what is kept here before the first paint. */
export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'tintype.theme';

export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    localStorage.removeItem(storageKey);
    delete dataset['theme'];
    return;
  }
  localStorage.setItem(storageKey, theme);
  dataset['theme'] = theme;
}
