/** Of the first list of the page that has rows which lead somewhere; see `DataTable`. */
export function focusFirstRow(): void {
  document.querySelector<HTMLElement>('main [data-row] a')?.focus();
}
