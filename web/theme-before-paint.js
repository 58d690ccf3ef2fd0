// Runs before the first paint: the theme that the user chose, as `lib/theme.ts` left it here.
(() => {
  try {
    const theme = localStorage.getItem('tintype.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Some browsers keep nothing for a page; then the system's theme comes first.
  }
})();
