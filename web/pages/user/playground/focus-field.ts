/** Puts the focus into the control of a request's field, as the API names it: `size`, `images[0]`. */
export function focusField(param: string): void {
  const [name = ''] = param.split(/[.[]/);
  const field = document.querySelector(`[data-field="${CSS.escape(names[name] ?? name)}"]`);
  // On phones it may be folded away.
  field?.closest('details')?.setAttribute('open', '');
  const control =
    field?.querySelector<HTMLElement>('input:checked') ??
    field?.querySelector<HTMLElement>('textarea, input:not([hidden]), button');
  control?.focus();
}

/** Fields that have no control of their own. */
const names: Readonly<Record<string, string>> = {
  image: 'images',
  mask: 'images',
  n: 'variations',
};
