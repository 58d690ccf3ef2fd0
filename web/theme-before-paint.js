// Runs before the first paint: the theme that the user chose, as `lib/theme.ts` left it here.
(() => {
  const theme = localStorage.getItem('tintype.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
