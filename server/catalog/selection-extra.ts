/** What a selection may add to every call. */
import { invalidRequest } from '../lib/service-error.ts';

/** Of all fields as JSON. */
export const extraCharactersMax = 10_000;

/** @param reserved the names that no administrator may use */
export function checkExtra(
  extra: Readonly<Record<string, unknown>>,
  reserved: readonly string[],
): void {
  for (const name of Object.keys(extra)) {
    // Some services spell a list of pictures `image[]`.
    if (reserved.includes(name.replace(/\[\]$/, '').toLowerCase())) {
      throw invalidRequest(
        'extra',
        `An extra field cannot be ${name}: ${reserved.join(', ')} are set by Tintype from the request.`,
      );
    }
    if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) {
      throw invalidRequest(
        'extra',
        'The name of an extra field has up to 100 letters, digits, dots, dashes and underscores. It begins with a letter or digit.',
      );
    }
  }
  if (JSON.stringify(extra).length <= extraCharactersMax) return;
  throw invalidRequest(
    'extra',
    `The extra fields must have at most ${extraCharactersMax} characters as JSON.`,
  );
}
