/** How a field inside a body is called in errors, such as `images[0].image_url`. */
export function paramAt(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

/** A name that a caller made up, as far as it is fit to be repeated in an error; null otherwise. */
export function paramFor(name: string): string | null {
  return /^[\w[\].-]{1,64}$/.test(name) ? name : null;
}
