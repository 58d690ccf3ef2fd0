/** Of the page's row of filters; see `Filters`. */
export function focusFirstFilter(): void {
  const filters = document.querySelector('[data-filters]');
  filters?.querySelector<HTMLElement>('input, button, select')?.focus();
}

/** For a button that goes away by being pressed: a key leaves the focus at what it changed. */
export function keepFocusAtFilters({ detail }: { detail: number }): void {
  if (detail === 0) focusFirstFilter();
}
